//! The same code, compiled for each instruction set: what is compiled for all CPUs uses 16 bytes at a time.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::Cpu;

/// Work that is compiled for each instruction set. Its results do not depend on the set, since operations on floats are
/// neither contracted nor reordered.
pub trait Work {
    /// The result.
    type Output;
    /// Does the work. Must be `#[inline(always)]`, down to its loops; otherwise it is compiled for the baseline only.
    fn run(self) -> Self::Output;
}

/// Runs the copy that is compiled for this CPU. There is no copy for AVX-512: this work is bound by memory.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if matches!(Cpu::detect(), Cpu::Avx2(_) | Cpu::Avx512(_)) {
        // SAFETY: both values stand for a CPU that has AVX2.
        return unsafe { avx2(work) };
    }
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}
