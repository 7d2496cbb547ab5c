//! What must hold in const evaluation.

/// Fails const evaluation unless `holds`, at the line that calls this.
///
/// `assert!` fails in the sources of `core`, which rustc quotes where they are installed, and names the caller below them.
#[track_caller]
pub(crate) const fn require(holds: bool, message: &str) {
    if !holds {
        fail(message)
    }
}

/// Fails const evaluation, at the line that calls this.
#[track_caller]
pub(crate) const fn fail(message: &str) -> ! {
    panic!("{}", message)
}
