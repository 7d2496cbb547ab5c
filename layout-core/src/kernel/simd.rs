//! The same code for each set of instructions: what is compiled for all CPUs uses 16 bytes at a time.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

/// Work that is compiled for each set of instructions. Its results must not depend on them: operations of floats are
/// not contracted or reordered, so they do not.
pub(super) trait Work {
    type Output;
    /// Must be `#[inline(always)]`, down to its loops, or it is compiled for all CPUs only.
    fn run(self) -> Self::Output;
}

/// Runs what is compiled for this CPU.
#[inline(always)]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "avx2")))]
    if is_found() {
        // SAFETY: the feature was found.
        return unsafe { avx2(work) };
    }
    work.run()
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
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
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
