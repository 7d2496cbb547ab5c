//! Registers of 16-byte lanes, in which elements are shuffled without crossing from one lane to another.

use super::super::Lanes;
use core::arch::x86_64::*;

impl Lanes for __m128i {
    #[inline(always)]
    unsafe fn load(from: *const u8, _: usize) -> __m128i {
        // SAFETY: as the caller promises.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn zip<const N: usize>(a: __m128i, b: __m128i) -> (__m128i, __m128i) {
        // SAFETY: every x86-64 CPU has them.
        unsafe {
            match N {
                1 => (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)),
                2 => (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)),
                4 => (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)),
                8 => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
                _ => (a, b),
            }
        }
    }
}

#[cfg(feature = "std")]
impl Lanes for __m256i {
    #[inline(always)]
    unsafe fn load(from: *const u8, stride: usize) -> __m256i {
        #[target_feature(enable = "avx2")]
        #[inline]
        unsafe fn load(from: *const u8, stride: usize) -> __m256i {
            // SAFETY: as the caller promises.
            unsafe { _mm256_loadu2_m128i(from.add(stride).cast(), from.cast()) }
        }
        // SAFETY: as the caller promises.
        unsafe { load(from, stride) }
    }

    #[inline(always)]
    unsafe fn zip<const N: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn zip<const N: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
            match N {
                1 => (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)),
                2 => (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)),
                4 => (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)),
                8 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
                _ => (a, b),
            }
        }
        // SAFETY: the caller has the instructions.
        unsafe { zip::<N>(a, b) }
    }
}
