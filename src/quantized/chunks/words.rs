//! Elements as vectors of `bf16`, multiplied by activations of `bf16` or `f32`.

use super::elements::Floats;
use super::factors::Factors;
use super::rows::{Loop, all_rows};
use super::{CHUNK, ChunkScales};
use crate::element::HostValue;
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;

/// A type of activations.
pub(in super::super) trait Word: HostValue {
    /// Whether the activations of even words come before those of odd ones.
    const APART: bool;

    /// Adds the products of 32 elements and 32 activations.
    ///
    /// # Safety
    /// 32 activations must be readable at `x`, and the CPU must have the instructions that [`Has`](super::Has) proves.
    unsafe fn add(sums: [__m512; 2], words: __m512i, x: *const Self) -> [__m512; 2];

    /// The sum of both sums.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`Has`](super::Has) proves.
    unsafe fn total(sums: [__m512; 2]) -> __m512;
}

impl Word for bf16 {
    const APART: bool = false;

    /// # Safety
    /// As [`Word::add`].
    #[inline(always)]
    unsafe fn add([sum, other]: [__m512; 2], words: __m512i, x: *const Self) -> [__m512; 2] {
        // SAFETY: the caller promises the activations and the instructions; the vectors have 64 bytes.
        unsafe {
            let [words, x] = [words, _mm512_loadu_si512(x.cast())]
                .map(|vector| transmute::<__m512i, __m512bh>(vector));
            [_mm512_dpbf16_ps(sum, words, x), other]
        }
    }

    /// # Safety
    /// As [`Word::total`].
    #[inline(always)]
    unsafe fn total([sum, _]: [__m512; 2]) -> __m512 {
        sum
    }
}

impl Word for f32 {
    const APART: bool = true;

    /// A `bf16` is the high half of an `f32`.
    ///
    /// # Safety
    /// As [`Word::add`].
    #[inline(always)]
    unsafe fn add([even, odd]: [__m512; 2], words: __m512i, x: *const Self) -> [__m512; 2] {
        // SAFETY: the caller promises the activations and the instructions.
        unsafe {
            let low = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(words));
            let high = _mm512_and_si512(words, _mm512_set1_epi32(0xFFFF_0000_u32.cast_signed()));
            [
                _mm512_fmadd_ps(low, _mm512_loadu_ps(x), even),
                _mm512_fmadd_ps(_mm512_castsi512_ps(high), _mm512_loadu_ps(x.add(16)), odd),
            ]
        }
    }

    /// # Safety
    /// As [`Word::total`].
    #[inline(always)]
    unsafe fn total([even, odd]: [__m512; 2]) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_add_ps(even, odd) }
    }
}

impl<W: Word> Factors<Floats> for W {
    const OF_CHUNK: usize = CHUNK;

    /// # Safety
    /// As [`Factors::part`].
    #[inline(always)]
    unsafe fn part(elements: Floats, codes: __m512i, x: *const Self) -> __m512 {
        // SAFETY: as the caller promises.
        unsafe {
            let mut sums = [_mm512_setzero_ps(); 2];
            for (number, words) in elements.words(codes).into_iter().enumerate() {
                sums = W::add(sums, words, x.add(number * 32));
            }
            W::total(sums)
        }
    }

    /// # Safety
    /// As [`Factors::all_rows`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
    unsafe fn all_rows<S: ChunkScales>(it: &Loop<'_, Floats, S>, x: &[Self], y: &mut [f32]) {
        // SAFETY: the caller makes the same promises.
        unsafe { all_rows::<Floats, S, Self>(it, x, y) }
    }
}

/// Writes a row of activations in the order in which the vectors of each chunk need them. Zeros follow the last one.
pub(super) fn arrange<T: Copy, W: Word>(from: &[T], number: impl Fn(T) -> W, to: &mut [W]) {
    let order = const { order(W::APART) };
    for (to, from) in to.chunks_exact_mut(CHUNK).zip(from.chunks(CHUNK)) {
        for (to, at) in to.iter_mut().zip(order) {
            if let Some(x) = from.get(usize::from(at)) {
                *to = number(*x);
            }
        }
    }
}

/// The element of a chunk at each position of its two vectors: those of the first and of the second halves of each 16 bytes.
const fn order(apart: bool) -> [u8; CHUNK] {
    let mut order = [0; CHUNK];
    let mut position = 0;
    while position < order.len() {
        let (vector, within) = (position / 32, position % 32);
        let word = if apart { within % 16 * 2 + within / 16 } else { within };
        order[position] = (word / 8 * 16 + vector * 8 + word % 8) as u8;
        position += 1;
    }
    order
}
