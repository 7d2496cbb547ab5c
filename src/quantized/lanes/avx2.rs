//! Two registers of AVX2.

use super::{Lanes, Tables};
use crate::cpu::HasAvx2;
use core::arch::x86_64::*;

/// The eight bytes at an address, as words.
///
/// # Safety
/// Eight bytes must be readable at `from`, and the CPU must have AVX2.
#[inline(always)]
unsafe fn words(from: *const u8) -> __m256i {
    // SAFETY: as the caller promises.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast())) }
}

/// The numbers of codes, of which only the low 4 bits are used.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn look_up(codes: __m256i, table: &[f32; 16]) -> __m256 {
    // SAFETY: as the caller promises; the table has two registers.
    unsafe {
        let low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.as_ptr()), codes);
        let high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.as_ptr().add(8)), codes);
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32::<28>(codes)))
    }
}

/// The numbers of floats of 8 bits: a sign, an exponent with a bias, `MANTISSA` bits. `SPECIAL` is the least code that is
/// infinite or not a number.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn small_float<const MANTISSA: i32, const BIAS: i32, const SPECIAL: i32>(
    codes: __m256i,
) -> __m256 {
    // SAFETY: as the caller promises.
    unsafe {
        let magnitude = _mm256_and_si256(codes, _mm256_set1_epi32(0x7F));
        let bits = match MANTISSA {
            3 => _mm256_slli_epi32::<20>(magnitude),
            _ => _mm256_slli_epi32::<21>(magnitude),
        };
        let normal = _mm256_add_epi32(bits, _mm256_set1_epi32((127 - BIAS) << 23));
        let step = f32::from_bits(((127 + 1 - BIAS - MANTISSA) << 23).cast_unsigned());
        let subnormal = _mm256_mul_ps(_mm256_cvtepi32_ps(magnitude), _mm256_set1_ps(step));
        let is_subnormal = _mm256_cmpgt_epi32(_mm256_set1_epi32(1 << MANTISSA), magnitude);
        let finite = _mm256_blendv_ps(
            _mm256_castsi256_ps(normal),
            subnormal,
            _mm256_castsi256_ps(is_subnormal),
        );
        // All bits of the exponent; bits of the mantissa make it a NaN.
        let is_special = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(SPECIAL - 1));
        let special = _mm256_and_si256(is_special, _mm256_set1_epi32(0x7F80_0000));
        let sign = _mm256_and_si256(_mm256_slli_epi32::<24>(codes), _mm256_set1_epi32(i32::MIN));
        _mm256_or_ps(finite, _mm256_castsi256_ps(_mm256_or_si256(special, sign)))
    }
}

/// A value proves AVX2, which is what all blocks below need.
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
        unsafe {
            let eight = _mm256_add_ps(a[0], a[1]);
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        }
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

    /// # Safety
    /// As [`Lanes::nibbles`].
    #[inline(always)]
    unsafe fn nibbles(self, from: *const u8, tables: &Tables) -> (Self::Vector, Self::Vector) {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let [a, b] = [words(from), words(from.add(8))];
            let table = &tables.nibbles;
            let low = [look_up(a, table), look_up(b, table)];
            let [a, b] = [_mm256_srli_epi32::<4>(a), _mm256_srli_epi32::<4>(b)];
            (low, [look_up(a, table), look_up(b, table)])
        }
    }

    /// # Safety
    /// As [`Lanes::e4m3`].
    #[inline(always)]
    unsafe fn e4m3(self, from: *const u8, _: &Tables) -> Self::Vector {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let (low, high) = (words(from), words(from.add(8)));
            [small_float::<3, 7, 0x7F>(low), small_float::<3, 7, 0x7F>(high)]
        }
    }

    /// # Safety
    /// As [`Lanes::e5m2`].
    #[inline(always)]
    unsafe fn e5m2(self, from: *const u8, _: &Tables) -> Self::Vector {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            let (low, high) = (words(from), words(from.add(8)));
            [small_float::<2, 15, 0x7C>(low), small_float::<2, 15, 0x7C>(high)]
        }
    }
}
