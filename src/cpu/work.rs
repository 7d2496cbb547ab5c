//! Code that is compiled for each instruction set. Code compiled for every CPU of the target has only registers of 16 bytes.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::Cpu;

/// Work that is compiled for each instruction set. The results do not depend on the set, since Rust neither contracts nor
/// reorders operations on floats; only panels of `bf16` are multiplied by instructions that some CPUs have and that round otherwise.
pub trait Work {
    /// The result.
    type Output;
    /// Does the work. This function and all functions down to the loops must be `#[inline(always)]`; otherwise they are
    /// compiled only for the baseline.
    fn run(self) -> Self::Output;
}

/// Runs the copy of the work that is compiled for this CPU.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    match Cpu::detect() {
        // SAFETY: the value proves that the CPU has the instructions.
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
