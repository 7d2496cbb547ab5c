//! The same code for each set of instructions: what is compiled for all CPUs uses 16 bytes at a time.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::Cpu;

/// Work that is compiled for each set of instructions. Its results must not depend on them: operations of floats are
/// not contracted or reordered, so they do not.
pub trait Work {
    /// What it gives.
    type Output;
    /// Does it. Must be `#[inline(always)]`, down to its loops, or it is compiled for all CPUs only.
    fn run(self) -> Self::Output;
}

/// Runs what is compiled for this CPU. There is no third copy for AVX-512: what runs here waits for memory.
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
