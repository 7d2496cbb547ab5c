//! Activations as digits.
//!
//! An integer `N` is `(high * 256 + middle) * 256 + low`. If the largest of 32 activations is 1.0 and another one is -0.3, their integers
//! are 85 * 65536 and -1671168, and their digits 85, 0 and 0, and -25, -128 and 0.

use super::super::integers::Integers;
use super::super::matmul::Activation;
use super::super::row_kernel::GROUP;
use super::super::s8::HasDots;
use super::{CHUNK, CHUNK_GROUPS, CHUNKS, ELEMENTS, place};
use core::arch::x86_64::*;
use core::array::from_fn;

/// The integer of the largest magnitude of 32 activations. The sum of 32 products by integers of up to 12 is less than 2^31.
const LARGEST: f32 = (85 << 16) as f32;

/// The number of digits of an integer.
pub(super) const DIGITS: usize = 3;

/// The activations of a quad, with `V` scales of weights for each group.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Quad<const V: usize> {
    /// For each chunk, from the highest to the lowest digit: those of the activations for the low bits of each byte of elements, and
    /// for the high bits.
    pub(super) numbers: [[[[i8; CHUNK]; 2]; DIGITS]; CHUNKS],
    /// Elements are multiplied as unsigned integers, which are larger by [`Integers::excess`]. This is the negative of what the
    /// excess adds to the sum of each lane.
    pub(super) base: [[i32; 16]; V],
    /// The scale of the activations of each lane, times [`Integers::unit`].
    pub(super) scales: [[f32; 16]; V],
}

impl<const V: usize> Quad<V> {
    pub(super) const ZERO: Self = Self {
        numbers: [[[[0; CHUNK]; 2]; DIGITS]; CHUNKS],
        base: [[0; 16]; V],
        scales: [[0.0; 16]; V],
    };
}

/// How the activations of a layout become digits.
#[derive(Clone, Copy)]
pub(super) struct Conversion {
    _has: HasDots,
    integers: Integers,
    /// For each byte of a group, the elements in its low and in its high bits.
    elements: [[i32; GROUP / 2]; 2],
}

impl Conversion {
    /// `distance` is that between two elements that share a byte.
    pub(super) fn new(has: HasDots, integers: Integers, distance: usize) -> Self {
        let element = |byte: usize| byte / distance * 2 * distance + byte % distance;
        let elements = [0, distance].map(|high| from_fn(|byte| (element(byte) + high) as i32));
        Self { _has: has, integers, elements }
    }

    /// Writes the digits of a row of activations, whole groups, over zeros. Returns whether all groups have a scale: there is none for
    /// numbers that are not finite, nor if it would be subnormal.
    pub(super) fn convert<T: Activation, const V: usize>(
        &self,
        row: &[T],
        to: &mut [Quad<V>],
    ) -> bool {
        // SAFETY: the proof is part of the value.
        unsafe { self.convert_groups(row, to) }
    }

    /// # Safety
    /// The CPU must have the instructions that [`HasDots`] proves.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi2")]
    unsafe fn convert_groups<T: Activation, const V: usize>(
        &self,
        row: &[T],
        to: &mut [Quad<V>],
    ) -> bool {
        for (to, quad) in to.iter_mut().zip(row.chunks(ELEMENTS)) {
            for (group, x) in quad.as_chunks::<GROUP>().0.iter().enumerate() {
                // A loop rather than a closure, which is compiled for the CPU of its caller only if it is inlined.
                let mut wide = [0.0; GROUP];
                for (wide, x) in wide.iter_mut().zip(x) {
                    *wide = x.widen();
                }
                // SAFETY: the caller promises the instructions.
                if !unsafe { self.convert_group(&wide, group, to) } {
                    return false;
                }
            }
        }
        true
    }

    /// # Safety
    /// The CPU must have the instructions that [`HasDots`] proves.
    #[inline(always)]
    unsafe fn convert_group<const V: usize>(
        &self,
        x: &[f32; GROUP],
        group: usize,
        to: &mut Quad<V>,
    ) -> bool {
        // SAFETY: the arrays have the bytes that are read; a group has 16 bytes of each array of digits.
        unsafe {
            let (a, b) = (_mm512_loadu_ps(x.as_ptr()), _mm512_loadu_ps(x.as_ptr().add(16)));
            // Magnitudes have the order of their bits, with NaNs above infinity.
            let largest = _mm512_max_epu32(
                _mm512_castps_si512(_mm512_abs_ps(a)),
                _mm512_castps_si512(_mm512_abs_ps(b)),
            );
            let largest = f32::from_bits(_mm512_reduce_max_epu32(largest));
            if largest == 0.0 {
                return true;
            }
            let scale = largest / LARGEST;
            if !largest.is_finite() || scale < f32::MIN_POSITIVE {
                return false;
            }
            let inverse = _mm512_set1_ps(LARGEST / largest);
            let a = _mm512_cvtps_epi32(_mm512_mul_ps(a, inverse));
            let b = _mm512_cvtps_epi32(_mm512_mul_ps(b, inverse));
            let mut sum = _mm512_setzero_si512();
            for (half, elements) in self.elements.iter().enumerate() {
                let elements = _mm512_loadu_si512(elements.as_ptr().cast());
                let mut numbers = _mm512_permutex2var_epi32(a, elements, b);
                sum = _mm512_add_epi32(sum, numbers);
                for digits in to.numbers[group / CHUNK_GROUPS].iter_mut().rev() {
                    let first = group % CHUNK_GROUPS * (GROUP / 2);
                    let to = digits[half][first..][..GROUP / 2].as_mut_ptr();
                    _mm_storeu_si128(to.cast(), _mm512_cvtepi32_epi8(numbers));
                    // A digit is between -128 and 127, so what remains is rounded to nearest.
                    numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(128));
                    numbers = _mm512_srai_epi32::<8>(numbers);
                }
            }
            for of_group in 0..V {
                let lanes = u16::MAX >> (16 - 16 / V) << (of_group * 16 / V);
                let (vector, lane) = place::<V>(group * V + of_group);
                let sum = _mm512_mask_reduce_add_epi32(lanes, sum);
                to.base[vector][lane] = -self.integers.excess * sum;
                to.scales[vector][lane] = scale * self.integers.unit;
            }
        }
        true
    }
}
