//! The activations by which vectors of elements are multiplied.

use super::{CHUNK, Codes};
use crate::element::HostValue;
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;

/// A type of activations.
pub(in super::super) trait Factor: HostValue {
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

impl Factor for bf16 {
    const APART: bool = false;

    /// # Safety
    /// As [`Factor::add`].
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
    /// As [`Factor::total`].
    #[inline(always)]
    unsafe fn total([sum, _]: [__m512; 2]) -> __m512 {
        sum
    }
}

impl Factor for f32 {
    const APART: bool = true;

    /// A `bf16` is the high half of an `f32`.
    ///
    /// # Safety
    /// As [`Factor::add`].
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
    /// As [`Factor::total`].
    #[inline(always)]
    unsafe fn total([even, odd]: [__m512; 2]) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_add_ps(even, odd) }
    }
}

/// Writes a row of activations in the order in which the vectors of each chunk need them. Zeros follow the last one.
pub(super) fn arrange<E: Codes, T: Copy, F: Factor>(
    pair_distance: Option<usize>,
    from: &[T],
    number: impl Fn(T) -> F,
    to: &mut [F],
) {
    let order = match pair_distance {
        None => const { order(None, F::APART) },
        Some(1) => const { order(Some(1), F::APART) },
        Some(8) => const { order(Some(8), F::APART) },
        Some(_) => const { order(Some(16), F::APART) },
    };
    let (chunks, order) = (to.chunks_exact_mut(E::ELEMENTS), &order[..E::ELEMENTS]);
    for (to, from) in chunks.zip(from.chunks(E::ELEMENTS)) {
        for (to, &at) in to.iter_mut().zip(order) {
            if let Some(x) = from.get(usize::from(at)) {
                *to = number(*x);
            }
        }
    }
}

/// The element of a chunk at each position of the vectors. A byte is an element, or it has two elements, at a distance of 1, 8 or 16
/// in a group. With a distance of 8, byte 9 of a group has the elements 17 and 25.
const fn order(pair_distance: Option<usize>, apart: bool) -> [u8; 2 * CHUNK] {
    let mut order = [0; 2 * CHUNK];
    let mut position = 0;
    while position < order.len() {
        let (vector, within) = (position / 32, position % 32);
        let word = if apart { within % 16 * 2 + within / 16 } else { within };
        let element = match pair_distance {
            // Two vectors: the first and the second halves of each 16 bytes.
            None => word / 8 * 16 + vector % 2 * 8 + word % 8,
            Some(distance) => {
                let (byte, half) = (2 * word + vector / 2, vector % 2);
                byte / distance * 2 * distance + byte % distance + half * distance
            }
        };
        order[position] = element as u8;
        position += 1;
    }
    order
}
