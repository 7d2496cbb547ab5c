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

/// Runs the copy that is compiled for this CPU.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    match Cpu::detect() {
        // SAFETY: the value stands for a CPU that has them.
        Cpu::Avx512(_) => return unsafe { avx512(work) },
        // SAFETY: as above.
        Cpu::Avx2(_) => return unsafe { avx2(work) },
        _ => {}
    }
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}
