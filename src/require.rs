//! Conditions that must hold in const evaluation.

/// Fails const evaluation at the caller's line unless `holds` is true.
///
/// A failed `assert!` is reported in the sources of `core`, which rustc quotes if they are installed, with the caller's line
/// only below.
#[track_caller]
pub(crate) const fn require(holds: bool, message: &str) {
    if !holds {
        fail(message)
    }
}

/// Fails const evaluation at the caller's line.
#[track_caller]
pub(crate) const fn fail(message: &str) -> ! {
    panic!("{}", message)
}
