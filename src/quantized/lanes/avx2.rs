//! Two registers of AVX2.

use super::{Lanes, Tables};
use crate::cpu::{HasAvx2, sum_of_eight};
use core::arch::x86_64::*;
use core::mem::transmute;
use half::f16;

/// Sixteen `f16` as numbers.
///
/// # Safety
/// The CPU must have AVX2 and F16C.
#[inline(always)]
unsafe fn widen(halves: __m256i) -> [__m256; 2] {
    // SAFETY: as the caller promises.
    unsafe {
        [
            _mm256_cvtph_ps(_mm256_castsi256_si128(halves)),
            _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(halves)),
        ]
    }
}

/// Eight bytes for each half of a register: those of the first four and of the third four words, then again; and those of the second
/// four and of the last four words, again. If bytes are put together to words and these to larger words, as the instructions do in each
/// half, words of 32 bits are in the order of the bytes.
const ORDER: [i8; 32] = [
    0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11, //
    4, 5, 6, 7, 12, 13, 14, 15, 4, 5, 6, 7, 12, 13, 14, 15,
];

/// A value proves AVX2 and F16C, which is what all blocks below need.
impl Lanes for HasAvx2 {
    type Vector = [__m256; 2];

    #[inline(always)]
    fn splat(self, x: f32) -> Self::Vector {
        // SAFETY: the value proves the instructions.
        unsafe { [_mm256_set1_ps(x); 2] }
    }

    #[inline(always)]
    fn halves(self, low: f32, high: f32) -> Self::Vector {
        // SAFETY: as above.
        unsafe { [_mm256_set1_ps(low), _mm256_set1_ps(high)] }
    }

    #[inline(always)]
    fn array(self, a: Self::Vector) -> [f32; 16] {
        // SAFETY: both have 16 numbers.
        unsafe { transmute::<Self::Vector, [f32; 16]>(a) }
    }

    /// # Safety
    /// As [`Lanes::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Self::Vector {
        // SAFETY: as above; the caller promises the numbers.
        unsafe { [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))] }
    }

    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        // SAFETY: as above.
        unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        // SAFETY: as above.
        unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn sum(self, a: Self::Vector) -> f32 {
        // SAFETY: as above.
        unsafe { sum_of_eight(_mm256_add_ps(a[0], a[1])) }
    }

    /// # Safety
    /// As [`Lanes::s8`].
    #[inline(always)]
    unsafe fn s8(self, from: *const u8) -> Self::Vector {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let low = _mm256_cvtepi8_epi32(_mm_loadl_epi64(from.cast()));
            let high = _mm256_cvtepi8_epi32(_mm_loadl_epi64(from.add(8).cast()));
            [_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(high)]
        }
    }

    /// A table has the two high bytes of each number; its low bytes are zeros.
    ///
    /// # Safety
    /// As [`Lanes::nibbles`].
    #[inline(always)]
    unsafe fn nibbles(self, from: *const u8, tables: &Tables) -> (Self::Vector, Self::Vector) {
        // SAFETY: as above; the caller promises the bytes, and the tables have 16 bytes each.
        unsafe {
            let both = |from: *const u8| _mm256_broadcastsi128_si256(_mm_loadu_si128(from.cast()));
            let order = _mm256_loadu_si256(ORDER.as_ptr().cast());
            let bytes = _mm256_shuffle_epi8(both(from), order);
            // The low codes of the first eight bytes of each half, and the high codes of the others.
            let codes = _mm256_srlv_epi64(bytes, _mm256_setr_epi64x(0, 4, 0, 4));
            let codes = _mm256_and_si256(codes, _mm256_set1_epi8(15));
            let [third, fourth] = [0, 1]
                .map(|byte| _mm256_shuffle_epi8(both(tables.nibble_bytes[byte].as_ptr()), codes));
            let zero = _mm256_setzero_si256();
            let words = |halves| {
                [_mm256_unpacklo_epi16(zero, halves), _mm256_unpackhi_epi16(zero, halves)]
                    .map(|words| _mm256_castsi256_ps(words))
            };
            let low = _mm256_unpacklo_epi8(third, fourth);
            (words(low), words(_mm256_unpackhi_epi8(third, fourth)))
        }
    }

    /// Converted to `f16` first, whose exponent has one more bit: its bias is 15 instead of 7, so the numbers are multiplied by
    /// 2^8.
    ///
    /// # Safety
    /// As [`Lanes::e4m3`].
    #[inline(always)]
    unsafe fn e4m3(self, from: *const u8, _: &Tables) -> Self::Vector {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            // In the high bytes: the sign is where that of an `f16` is, and the others are one bit further up.
            let codes = _mm256_slli_epi16::<8>(_mm256_cvtepu8_epi16(_mm_loadu_si128(from.cast())));
            let number = _mm256_srai_epi16::<1>(codes);
            let number = _mm256_and_si256(number, _mm256_set1_epi16(0xBFFF_u16.cast_signed()));
            let all = _mm256_set1_epi16(0x7F00);
            let is_nan = _mm256_cmpeq_epi16(_mm256_and_si256(codes, all), all);
            // An `f16` of ones is not a number.
            let halves = _mm256_or_si256(number, is_nan);
            self.mul(widen(halves), self.splat(256.0))
        }
    }

    /// They are the high bytes of `f16`.
    ///
    /// # Safety
    /// As [`Lanes::e5m2`].
    #[inline(always)]
    unsafe fn e5m2(self, from: *const u8, _: &Tables) -> Self::Vector {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let codes = _mm256_cvtepu8_epi16(_mm_loadu_si128(from.cast()));
            widen(_mm256_slli_epi16::<8>(codes))
        }
    }

    #[inline(always)]
    fn widen_f16(self, half: f16) -> f32 {
        // SAFETY: as above.
        unsafe { _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(half.to_bits().into()))) }
    }

    #[inline(always)]
    fn widen_f16s(self, halves: [[u8; 2]; 16]) -> [f32; 16] {
        // SAFETY: as above; the array has 32 bytes.
        unsafe { self.array(widen(_mm256_loadu_si256(halves.as_ptr().cast()))) }
    }
}
