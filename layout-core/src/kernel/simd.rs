//! The same code for each set of instructions: what is compiled for all CPUs uses 16 bytes at a time.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

/// Runs `f`, compiled for what this CPU has. It must be inlined, and its results must not depend on the instructions:
/// operations of floats are not contracted or reordered, so they do not.
#[inline(always)]
pub(super) fn run<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "avx2")))]
    if is_found() {
        // SAFETY: the feature was found.
        return unsafe { avx2(f) };
    }
    f()
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "avx2")))]
#[inline(always)]
fn is_found() -> bool {
    #[cfg(test)]
    if PORTABLE.get() {
        return false;
    }
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "avx2")))]
#[target_feature(enable = "avx2")]
fn avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(test)]
std::thread_local! {
    static PORTABLE: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
}

/// Runs `f` with what is compiled for all CPUs.
#[cfg(test)]
pub(super) fn portable<R>(f: impl FnOnce() -> R) -> R {
    PORTABLE.set(true);
    let result = f();
    PORTABLE.set(false);
    result
}
