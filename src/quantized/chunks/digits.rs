//! Elements of 4 bits as integers, multiplied by activations of 24 bits.
//!
//! Each 32 activations become integers of 24 bits with a common scale, and each integer three digits of 8 bits: `N` is
//! `(high * 256 + middle) * 256 + low`. Dot products of bytes multiply each digit by the integers of the elements, so sums of products
//! are exact. In 1.0 and -0.3, 1.0 is 127 * 65536 and -0.3 is -2496922: the digits are 127, 0 and 0, and -38, -26 and 102.

use super::super::integers::Integers;
use super::super::matmul::Activation;
use super::super::row_kernel::GROUP;
use super::super::s8::HasDots;
use super::elements::Nibbles;
use super::factors::Factors;
use super::rows::{Loop, all_rows};
use super::{CHUNK, ChunkScales, Codes};
use core::arch::x86_64::*;
use core::array::from_fn;

/// The integer of the largest magnitude of 32 activations.
const LARGEST: f32 = 8_323_072.0;

/// The number of digits of an integer.
const DIGITS: usize = 3;

/// The number of lanes of a group.
const LANES: usize = 4;

/// The activations of a chunk.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Digits {
    /// From the highest to the lowest: the digits of the activations for the low bits of each byte, and for the high bits.
    numbers: [[[i8; CHUNK]; 2]; DIGITS],
    /// Elements are multiplied as unsigned integers, which are larger by [`Integers::excess`]. This is the negative of what the
    /// excess adds to the sum of each lane.
    base: [i32; 16],
    /// The scale of the activations of each lane, times [`Integers::unit`].
    scales: [f32; 16],
}

impl Digits {
    /// Zeros.
    pub(super) const ZERO: Self =
        Self { numbers: [[[0; CHUNK]; 2]; DIGITS], base: [0; 16], scales: [0.0; 16] };
}

impl Factors<Nibbles> for Digits {
    const OF_CHUNK: usize = 1;

    /// At most eight products of 24 by 127 * 65536 are added, which is less than 2^31.
    ///
    /// # Safety
    /// As [`Factors::part`].
    #[inline(always)]
    unsafe fn part(elements: Nibbles, codes: __m512i, x: *const Self) -> __m512 {
        // SAFETY: the caller promises the activations and the instructions; each array has 64 bytes.
        unsafe {
            let [low, high] = elements.integers(codes);
            let mut sums = _mm512_setzero_si512();
            for digits in &(*x).numbers {
                let [x, y] = [0, 1].map(|half| _mm512_load_si512(digits[half].as_ptr().cast()));
                sums = _mm512_dpbusd_epi32(_mm512_slli_epi32::<8>(sums), low, x);
                sums = _mm512_dpbusd_epi32(sums, high, y);
            }
            let sums = _mm512_add_epi32(sums, _mm512_load_si512((*x).base.as_ptr().cast()));
            _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_load_ps((*x).scales.as_ptr()))
        }
    }

    /// # Safety
    /// As [`Factors::all_rows`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,avx2,bmi2")]
    unsafe fn all_rows<S: ChunkScales>(it: &Loop<'_, Nibbles, S>, x: &[Self], y: &mut [f32]) {
        // SAFETY: the caller makes the same promises.
        unsafe { all_rows::<Nibbles, S, Self>(it, x, y) }
    }
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
    pub(super) fn convert<T: Activation>(&self, row: &[T], to: &mut [Digits]) -> bool {
        to.iter_mut().zip(row.chunks(Nibbles::ELEMENTS)).all(|(to, chunk)| {
            chunk.as_chunks::<GROUP>().0.iter().enumerate().all(|(group, x)| {
                let x = x.map(T::widen);
                // SAFETY: the proof is part of the value.
                unsafe { self.convert_group(&x, group, to) }
            })
        })
    }

    /// # Safety
    /// The CPU must have the instructions that [`HasDots`] proves.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    unsafe fn convert_group(&self, x: &[f32; GROUP], group: usize, to: &mut Digits) -> bool {
        let (first, count) = (group * GROUP / 2, GROUP / 2);
        // SAFETY: the arrays have the bytes that are read; a group has 16 bytes of each array of digits.
        unsafe {
            let x = [0, 16].map(|at| _mm512_loadu_ps(x.as_ptr().add(at)));
            // Magnitudes have the order of their bits, with NaNs above infinity.
            let [a, b] = x.map(|x| _mm512_castps_si512(_mm512_abs_ps(x)));
            let largest = f32::from_bits(_mm512_reduce_max_epu32(_mm512_max_epu32(a, b)));
            if largest == 0.0 {
                return true;
            }
            let scale = largest / LARGEST;
            if !largest.is_finite() || scale < f32::MIN_POSITIVE {
                return false;
            }
            let inverse = _mm512_set1_ps(LARGEST / largest);
            let [a, b] = x.map(|x| _mm512_cvtps_epi32(_mm512_mul_ps(x, inverse)));
            let halves = self.elements.map(|elements| {
                _mm512_permutex2var_epi32(a, _mm512_loadu_si512(elements.as_ptr().cast()), b)
            });
            for (half, mut numbers) in halves.into_iter().enumerate() {
                for digits in to.numbers.iter_mut().rev() {
                    let to = digits[half][first..][..count].as_mut_ptr();
                    _mm_storeu_si128(to.cast(), _mm512_cvtepi32_epi8(numbers));
                    // A digit is between -128 and 127, so what remains is rounded to nearest.
                    numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(128));
                    numbers = _mm512_srai_epi32::<8>(numbers);
                }
            }
            let mut sums = [0_i32; GROUP / 2];
            let [low, high] = halves;
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), _mm512_add_epi32(low, high));
            let lanes = group * LANES..(group + 1) * LANES;
            for (base, sums) in to.base[lanes.clone()].iter_mut().zip(sums.as_chunks::<4>().0) {
                *base = -self.integers.excess * sums.iter().sum::<i32>();
            }
            to.scales[lanes].fill(scale * self.integers.unit);
        }
        true
    }
}
