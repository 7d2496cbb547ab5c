//! Code that is compiled for each instruction set. Code compiled for every CPU of the target has only registers of 16 bytes.
#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]

#[cfg(all(feature = "std", target_arch = "x86_64", not(unoptimized)))]
use super::Cpu;
#[cfg(all(feature = "sparse", feature = "std", target_arch = "x86_64"))]
use super::detect::{HasAvx512F, HasFma};

/// Work that is compiled for each instruction set. The results do not depend on the set, since Rust neither contracts nor
/// reorders operations on floats.
pub trait Work {
    /// The result.
    type Output;
    /// Does the work. This function and all functions down to the loops must be `#[inline(always)]`; otherwise they are
    /// compiled only for the baseline.
    fn run(self) -> Self::Output;
}

/// Runs the copy of the work that is compiled for this CPU. Without optimization there is one copy: wide registers would not make
/// it faster, and compiling three takes three times as long.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(unoptimized)))]
    match Cpu::detect() {
        // SAFETY: the value proves that the CPU has the instructions.
        Cpu::Avx512(_) => return unsafe { avx512(work) },
        // SAFETY: as above.
        Cpu::Avx2(_) => return unsafe { avx2(work) },
        _ => {}
    }
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(unoptimized)))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(unoptimized)))]
#[target_feature(enable = "avx2")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

/// Runs the work, compiled for 32 vectors of 64 bytes and one instruction for a product that is added to a sum.
#[cfg(all(feature = "sparse", feature = "std", target_arch = "x86_64"))]
pub(crate) fn run_wide<W: Work>(_: HasAvx512F, work: W) -> W::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx2,fma")]
    fn compiled<W: Work>(work: W) -> W::Output {
        work.run()
    }
    // SAFETY: the value proves that the CPU has the instructions.
    unsafe { compiled(work) }
}

/// The same for 16 vectors of 32 bytes.
#[cfg(all(feature = "sparse", feature = "std", target_arch = "x86_64"))]
pub(crate) fn run_narrow<W: Work>(_: HasFma, work: W) -> W::Output {
    #[target_feature(enable = "avx2,fma")]
    fn compiled<W: Work>(work: W) -> W::Output {
        work.run()
    }
    // SAFETY: as above.
    unsafe { compiled(work) }
}
