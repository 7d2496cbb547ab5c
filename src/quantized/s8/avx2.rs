//! AVX2: products of bytes with and without a sign, added in pairs.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::{BYTES, Dots, QuantizedActivations, Scale, all_rows};
use crate::cpu::HasAvx2;
use crate::quantized::integers::Integers;
use crate::quantized::lanes::Lanes;
use crate::quantized::row_kernel::Rows;
use core::arch::x86_64::*;

/// # Safety
/// As [`all_rows`], and the CPU must have the instructions that [`HasAvx2`] proves.
#[target_feature(enable = "avx2,bmi2,f16c")]
pub(super) unsafe fn multiply<C: Scale, const V: usize>(
    has: HasAvx2,
    rows: Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    // SAFETY: the caller makes the same promises.
    unsafe { all_rows::<HasAvx2, C, V>(has, &rows, steps, codes, y) }
}

/// A value proves AVX2, which is what all blocks below need.
impl Dots for HasAvx2 {
    type Codes = [__m256i; 2];
    type Integers = [__m256i; 2];
    type Sums = [__m256; 2];
    type Scales = __m128;

    #[inline(always)]
    fn zero(self) -> [__m256; 2] {
        self.splat(0.0)
    }

    /// # Safety
    /// As [`Dots::together`].
    #[inline(always)]
    unsafe fn together(self, from: *const u8) -> [__m256i; 2] {
        // SAFETY: as above; the caller promises the bytes.
        unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(BYTES / 2).cast())] }
    }

    /// # Safety
    /// As [`Dots::apart`].
    #[inline(always)]
    unsafe fn apart<const V: usize>(self, from: [*const u8; 4]) -> [__m256i; 2] {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            if V == 1 {
                return [_mm256_loadu_si256(from[0].cast()), _mm256_loadu_si256(from[1].cast())];
            }
            let [a, b, c, d] = [
                _mm_loadu_si128(from[0].cast()),
                _mm_loadu_si128(from[1].cast()),
                _mm_loadu_si128(from[2].cast()),
                _mm_loadu_si128(from[3].cast()),
            ];
            [_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)]
        }
    }

    #[inline(always)]
    fn dot<const V: usize>(
        self,
        codes: [__m256i; 2],
        step: &QuantizedActivations<V>,
        of: &Integers,
    ) -> [__m256i; 2] {
        // SAFETY: as above; each half of an array has 32 bytes, the table 16.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let half = |numbers: &[i8; BYTES], at: usize| {
                _mm256_loadu_si256(numbers.as_ptr().add(at * BYTES / 2).cast())
            };
            let mut integers = codes;
            for (at, (integers, codes)) in integers.iter_mut().zip(codes).enumerate() {
                let x = half(&step.numbers[0], at);
                if V == 1 {
                    // The sign of a code is moved to the other factor. The sum of two products is at most 2 * 128 * 127, which fits
                    // in 16 bits.
                    let pairs =
                        _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes));
                    *integers = _mm256_madd_epi16(pairs, ones);
                    continue;
                }
                let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(of.halves.as_ptr().cast()));
                let mask = _mm256_set1_epi8(15);
                let low = _mm256_shuffle_epi8(table, _mm256_and_si256(codes, mask));
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(codes), mask);
                let high = _mm256_shuffle_epi8(table, high);
                // The sum of four products is at most 4 * 24 * 127.
                let pairs = _mm256_add_epi16(
                    _mm256_maddubs_epi16(low, x),
                    _mm256_maddubs_epi16(high, half(&step.numbers[V - 1], at)),
                );
                let base = _mm256_loadu_si256(step.base.as_ptr().add(at * 8).cast());
                *integers = _mm256_add_epi32(_mm256_madd_epi16(pairs, ones), base);
            }
            integers
        }
    }

    #[inline(always)]
    fn halves(self, bits: [u16; 4]) -> __m128 {
        let bits = bits.map(u64::from);
        let bits = bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48;
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm_cvtph_ps(_mm_cvtsi64_si128(bits.cast_signed())) }
    }

    #[inline(always)]
    fn floats(self, [a, b, c, d]: [f32; 4]) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_set_ps(d, c, b, a) }
    }

    #[inline(always)]
    fn add_scaled<const V: usize>(
        self,
        sums: [__m256; 2],
        integers: [__m256i; 2],
        a: __m128,
        b: &[f32; 4],
    ) -> [__m256; 2] {
        // SAFETY: as above; the array has 16 bytes.
        unsafe {
            let scales = _mm256_castps128_ps256(_mm_mul_ps(a, _mm_loadu_ps(b.as_ptr())));
            let groups = match V {
                1 => [_mm256_set1_epi32(0), _mm256_set1_epi32(1)],
                _ => [
                    _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0),
                    _mm256_set_epi32(3, 3, 3, 3, 2, 2, 2, 2),
                ],
            };
            let mut sums = sums;
            for ((sum, integers), group) in sums.iter_mut().zip(integers).zip(groups) {
                let scales = _mm256_permutevar8x32_ps(scales, group);
                *sum = _mm256_add_ps(*sum, _mm256_mul_ps(_mm256_cvtepi32_ps(integers), scales));
            }
            sums
        }
    }

    #[inline(always)]
    fn sum(self, sums: [__m256; 2]) -> f32 {
        Lanes::sum(self, sums)
    }
}
