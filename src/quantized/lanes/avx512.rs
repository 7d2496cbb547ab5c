//! One register of AVX-512.

use super::{Lanes, Tables};
use crate::cpu::{HasAvx512, sum_of_eight};
use core::arch::x86_64::*;
use core::mem::transmute;
use half::f16;

/// The sixteen bytes at an address, as words of 16 bits.
///
/// # Safety
/// Sixteen bytes must be readable at `from`, and the CPU must have AVX2.
#[inline(always)]
unsafe fn words(from: *const u8) -> __m256i {
    // SAFETY: as the caller promises.
    unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(from.cast())) }
}

/// A value proves AVX-512 with its instructions for bytes, which is what all blocks below need.
impl Lanes for HasAvx512 {
    type Vector = __m512;

    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        // SAFETY: the value proves the instructions.
        unsafe { _mm512_set1_ps(x) }
    }

    #[inline(always)]
    fn halves(self, low: f32, high: f32) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_mask_mov_ps(_mm512_set1_ps(low), 0xFF00, _mm512_set1_ps(high)) }
    }

    #[inline(always)]
    fn array(self, a: __m512) -> [f32; 16] {
        // SAFETY: both have 16 numbers.
        unsafe { transmute::<__m512, [f32; 16]>(a) }
    }

    /// # Safety
    /// As [`Lanes::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> __m512 {
        // SAFETY: as above; the caller promises the numbers.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn sum(self, a: __m512) -> f32 {
        // SAFETY: as above.
        unsafe {
            let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(a));
            sum_of_eight(_mm256_add_ps(_mm512_castps512_ps256(a), _mm256_castpd_ps(high)))
        }
    }

    /// # Safety
    /// As [`Lanes::s8`].
    #[inline(always)]
    unsafe fn s8(self, from: *const u8) -> __m512 {
        // SAFETY: as above; the caller promises the bytes.
        unsafe { _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(from.cast()))) }
    }

    /// # Safety
    /// As [`Lanes::nibbles`].
    #[inline(always)]
    unsafe fn nibbles(self, from: *const u8, tables: &Tables) -> (__m512, __m512) {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let codes = _mm512_cvtepu8_epi32(_mm_loadu_si128(from.cast()));
            // The instruction uses only the low 4 bits.
            let table = _mm512_loadu_ps(tables.nibbles.as_ptr());
            let low = _mm512_permutexvar_ps(codes, table);
            (low, _mm512_permutexvar_ps(_mm512_srli_epi32::<4>(codes), table))
        }
    }

    /// Converted to `f16` first, whose exponent has one more bit: its bias is 15 instead of 7, so the numbers are multiplied by
    /// 2^8.
    ///
    /// # Safety
    /// As [`Lanes::e4m3`].
    #[inline(always)]
    unsafe fn e4m3(self, from: *const u8, _: &Tables) -> __m512 {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let codes = words(from);
            let magnitude = _mm256_and_si256(codes, _mm256_set1_epi16(0x7F));
            let sign = _mm256_slli_epi16::<8>(_mm256_xor_si256(codes, magnitude));
            let halves = _mm256_or_si256(_mm256_slli_epi16::<7>(magnitude), sign);
            let numbers = _mm512_mul_ps(_mm512_cvtph_ps(halves), _mm512_set1_ps(256.0));
            let is_nan = _mm256_cmpeq_epi16_mask(magnitude, _mm256_set1_epi16(0x7F));
            _mm512_mask_mov_ps(numbers, is_nan, _mm512_set1_ps(f32::NAN))
        }
    }

    /// They are the high bytes of `f16`.
    ///
    /// # Safety
    /// As [`Lanes::e5m2`].
    #[inline(always)]
    unsafe fn e5m2(self, from: *const u8, _: &Tables) -> __m512 {
        // SAFETY: as above; the caller promises the bytes.
        unsafe { _mm512_cvtph_ps(_mm256_slli_epi16::<8>(words(from))) }
    }

    #[inline(always)]
    fn widen_f16(self, half: f16) -> f32 {
        // SAFETY: as above.
        unsafe {
            let half = _mm_cvtsi32_si128(half.to_bits().into());
            _mm512_cvtss_f32(_mm512_cvtph_ps(_mm256_castsi128_si256(half)))
        }
    }

    #[inline(always)]
    fn widen_f16s(self, halves: [[u8; 2]; 16]) -> [f32; 16] {
        // SAFETY: as above; the array has 32 bytes.
        unsafe { self.array(_mm512_cvtph_ps(_mm256_loadu_si256(halves.as_ptr().cast()))) }
    }
}
