//! What kernels are compiled for.

/// Bytes of the largest register, of a cache line, and of what is streamed at a time.
pub(super) const LINE: usize = 64;

/// Bytes of source and destination together from which stores go past the caches: about what the last cache holds.
const STREAM_FROM: usize = 24 << 20;

/// An instruction set that kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::kernel) enum Cpu {
    /// What every CPU of the target has.
    Baseline,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx512,
}

impl Cpu {
    /// The best that this CPU has.
    #[inline]
    pub(in crate::kernel) fn detect() -> Self {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            if std::is_x86_feature_detected!("avx512vbmi")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512vl")
                && std::is_x86_feature_detected!("avx512dq")
            {
                return Self::Avx512;
            }
            if std::is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }

    /// All that this CPU has.
    #[cfg(test)]
    pub(in crate::kernel) fn all() -> alloc::vec::Vec<Self> {
        let mut all = alloc::vec![Self::Baseline];
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            all.extend((Self::detect() == Self::Avx512).then_some(Self::Avx512));
            all.extend(std::is_x86_feature_detected!("avx2").then_some(Self::Avx2));
        }
        all
    }
}

/// Whether the destination should be written past the caches.
pub(in crate::kernel) const fn streams(source: usize, destination: usize) -> bool {
    source + destination >= STREAM_FROM
}

/// What the instruction sets do differently.
pub(super) trait Instructions {
    /// Writes a line past the caches.
    ///
    /// # Safety
    /// Both pointers must be good for [`LINE`] bytes, `to` aligned to as many, and the CPU must have the instructions.
    unsafe fn stream(from: *const u8, to: *mut u8);
    /// Asks for a line that will be read; any address will do.
    fn prefetch(at: *const u8);
    /// Makes streamed lines visible before what is written after.
    fn fence();
}

pub(super) struct Baseline;

#[cfg(not(target_arch = "x86_64"))]
impl Instructions for Baseline {
    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8) {
        // SAFETY: the caller passes good pointers.
        unsafe { core::ptr::copy_nonoverlapping(from, to, LINE) };
    }
    #[inline(always)]
    fn prefetch(_: *const u8) {}
    #[inline(always)]
    fn fence() {}
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Baseline, Instructions, LINE};
    use core::arch::x86_64::*;

    macro_rules! instructions {
        ($Name:ident $($feature:literal)?: $load:ident $stream:ident $Vector:ty) => {
            impl Instructions for $Name {
                #[inline(always)]
                unsafe fn stream(from: *const u8, to: *mut u8) {
                    $( #[target_feature(enable = $feature)] )?
                    #[inline]
                    unsafe fn line(from: *const u8, to: *mut u8) {
                        for at in (0..LINE).step_by(size_of::<$Vector>()) {
                            // SAFETY: within the line, whose alignment is a multiple of the register's.
                            unsafe { $stream(to.add(at).cast(), $load(from.add(at).cast())) };
                        }
                    }
                    // SAFETY: as the caller promises.
                    unsafe { line(from, to) };
                }
                #[inline(always)]
                fn prefetch(at: *const u8) {
                    // SAFETY: a prefetch of a bad address does nothing.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
                }
                #[inline(always)]
                fn fence() {
                    // SAFETY: every x86-64 CPU has it.
                    unsafe { _mm_sfence() };
                }
            }
        };
    }
    instructions! { Baseline: _mm_loadu_si128 _mm_stream_si128 __m128i }
    #[cfg(feature = "std")]
    instructions! { Avx2 "avx2": _mm256_loadu_si256 _mm256_stream_si256 __m256i }
    #[cfg(feature = "std")]
    instructions! { Avx512 "avx512f": _mm512_loadu_si512 _mm512_stream_si512 __m512i }

    #[cfg(feature = "std")]
    pub(in super::super) struct Avx2;
    #[cfg(feature = "std")]
    pub(in super::super) struct Avx512;
}
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(super) use x86::{Avx2, Avx512};

/// Compiles a function for each instruction set, and calls the one for `cpu`.
macro_rules! for_cpu {
    ($cpu:expr, $function:ident($($argument:ident: $Type:ty),*)) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,bmi2")]
        unsafe fn avx512($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::kernel::wide::cpu::Avx512>($($argument),*) }
        }
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx2,bmi2")]
        unsafe fn avx2($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::kernel::wide::cpu::Avx2>($($argument),*) }
        }
        unsafe fn baseline($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::kernel::wide::cpu::Baseline>($($argument),*) }
        }
        match $cpu {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            $crate::kernel::wide::cpu::Cpu::Avx512 => avx512($($argument),*),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            $crate::kernel::wide::cpu::Cpu::Avx2 => avx2($($argument),*),
            $crate::kernel::wide::cpu::Cpu::Baseline => baseline($($argument),*),
        }
    }};
}
pub(super) use for_cpu;
