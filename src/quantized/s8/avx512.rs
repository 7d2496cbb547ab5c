//! AVX-512 with its dot products of bytes.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::{Dots, QuantizedActivations, Scale, all_rows};
use crate::cpu::HasAvx512;
use crate::cpu::detect::HasAvx512Vnni;
use crate::quantized::integers::Integers;
use crate::quantized::lanes::Lanes;
use crate::quantized::row_kernel::Rows;
use core::arch::x86_64::*;

/// A value proves both.
#[derive(Clone, Copy)]
pub(in super::super) struct Has {
    avx512: HasAvx512,
    _vnni: HasAvx512Vnni,
}

impl Has {
    /// Whether the CPU has the dot products too.
    pub(in super::super) fn detect(avx512: HasAvx512) -> Option<Self> {
        HasAvx512Vnni::detect().map(|_vnni| Self { avx512, _vnni })
    }

    /// AVX-512 without the dot products.
    pub(in super::super) fn avx512(self) -> HasAvx512 {
        self.avx512
    }
}

/// # Safety
/// As [`all_rows`], and the CPU must have the instructions that [`Has`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,avx2,bmi2,fma")]
pub(super) unsafe fn multiply<C: Scale, const V: usize>(
    has: Has,
    rows: Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    // SAFETY: the caller makes the same promises.
    unsafe { all_rows::<Has, C, V>(has, &rows, steps, codes, y) }
}

/// A value proves the instructions, which is what all blocks below need.
impl Dots for Has {
    type Codes = __m512i;
    type Integers = __m512i;
    type Sums = __m512;
    type Scales = __m128;

    #[inline(always)]
    fn zero(self) -> __m512 {
        self.avx512.splat(0.0)
    }

    /// # Safety
    /// As [`Dots::together`].
    #[inline(always)]
    unsafe fn together(self, from: *const u8) -> __m512i {
        // SAFETY: as above; the caller promises the bytes.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    /// # Safety
    /// As [`Dots::apart`].
    #[inline(always)]
    unsafe fn apart<const V: usize>(self, from: [*const u8; 4]) -> __m512i {
        // SAFETY: as above; the caller promises the bytes.
        unsafe {
            if V == 1 {
                let low = _mm512_castsi256_si512(_mm256_loadu_si256(from[0].cast()));
                return _mm512_inserti64x4::<1>(low, _mm256_loadu_si256(from[1].cast()));
            }
            let [a, b, c, d] = [
                _mm_loadu_si128(from[0].cast()),
                _mm_loadu_si128(from[1].cast()),
                _mm_loadu_si128(from[2].cast()),
                _mm_loadu_si128(from[3].cast()),
            ];
            let low = _mm512_castsi256_si512(_mm256_set_m128i(b, a));
            _mm512_inserti64x4::<1>(low, _mm256_set_m128i(d, c))
        }
    }

    #[inline(always)]
    fn dot<const V: usize>(
        self,
        codes: __m512i,
        step: &QuantizedActivations<V>,
        of: &Integers,
    ) -> __m512i {
        // SAFETY: as above; the arrays have 64 bytes, the table 16.
        unsafe {
            let base = _mm512_loadu_si512(step.base.as_ptr().cast());
            let x = _mm512_loadu_si512(step.numbers[0].as_ptr().cast());
            if V == 1 {
                let codes = _mm512_xor_si512(codes, _mm512_set1_epi8(i8::MIN));
                return _mm512_dpbusd_epi32(base, codes, x);
            }
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(of.halves.as_ptr().cast()));
            let mask = _mm512_set1_epi8(15);
            let low = _mm512_shuffle_epi8(table, _mm512_and_si512(codes, mask));
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(codes), mask);
            let high = _mm512_shuffle_epi8(table, high);
            let second = _mm512_loadu_si512(step.numbers[V - 1].as_ptr().cast());
            _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(base, low, x), high, second)
        }
    }

    #[inline(always)]
    fn halves(self, [a, b, c, d]: [u16; 4]) -> __m128 {
        let bits = [a, b, c, d].map(u16::cast_signed);
        // SAFETY: as above.
        unsafe {
            let bits = _mm_set_epi16(0, 0, 0, 0, bits[3], bits[2], bits[1], bits[0]);
            _mm512_castps512_ps128(_mm512_cvtph_ps(_mm256_castsi128_si256(bits)))
        }
    }

    #[inline(always)]
    fn floats(self, [a, b, c, d]: [f32; 4]) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_set_ps(d, c, b, a) }
    }

    #[inline(always)]
    fn add_scaled<const V: usize>(
        self,
        sums: __m512,
        integers: __m512i,
        a: __m128,
        b: &[f32; 4],
    ) -> __m512 {
        // SAFETY: as above; the array has 16 bytes.
        unsafe {
            let scales = _mm512_castps128_ps512(_mm_mul_ps(a, _mm_loadu_ps(b.as_ptr())));
            let group = match V {
                1 => _mm512_set_epi32(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0),
                _ => _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0),
            };
            let scales = _mm512_permutexvar_ps(group, scales);
            _mm512_add_ps(sums, _mm512_mul_ps(_mm512_cvtepi32_ps(integers), scales))
        }
    }

    #[inline(always)]
    fn sum(self, sums: __m512) -> f32 {
        self.avx512.sum(sums)
    }
}
