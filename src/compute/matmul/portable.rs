//! Vectors as arrays: what runs where no instruction set is known to be there.
#![allow(unsafe_code, reason = "the interface of vectors reads and writes memory")]

use super::grid::Word;
use super::lanes::{Dot, MicroBlock, Vectors, multiply};
use crate::element::{BF16, F32, S8, S16};
use core::marker::PhantomData;

/// Vectors of `N` words that hold elements `E`.
pub(super) struct ArrayVectors<E, const N: usize>(PhantomData<E>);

impl<E, const N: usize> ArrayVectors<E, N> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<E, const N: usize> Clone for ArrayVectors<E, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, const N: usize> Copy for ArrayVectors<E, N> {}

impl<E, const N: usize> Vectors for ArrayVectors<E, N> {
    type Vector = [u32; N];
    const LANES: usize = N;

    #[inline(always)]
    fn splat(self, word: u32) -> [u32; N] {
        [word; N]
    }

    #[inline(always)]
    fn and(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        core::array::from_fn(|i| a[i] & b[i])
    }

    /// # Safety
    /// As [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> [u32; N] {
        // SAFETY: the caller promises that so many words are readable; an array of bytes has no alignment.
        let words = unsafe { from.cast::<[Word; N]>().read() };
        words.map(u32::from_le_bytes)
    }

    /// # Safety
    /// As [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: [u32; N], to: *mut Word) {
        // SAFETY: the caller promises that so many words are writable; an array of bytes has no alignment.
        unsafe { to.cast::<[Word; N]>().write(words.map(u32::to_le_bytes)) }
    }
}

impl<const N: usize> Dot for ArrayVectors<F32, N> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: [u32; N], _: usize) -> [u32; N] {
        words
    }

    #[inline(always)]
    fn dot(self, sums: [u32; N], a: [u32; N], b: [u32; N]) -> [u32; N] {
        core::array::from_fn(|i| {
            (f32::from_bits(a[i]) * f32::from_bits(b[i]) + f32::from_bits(sums[i])).to_bits()
        })
    }
}

/// Each word is two parts, of one `f32` each.
impl<const N: usize> Dot for ArrayVectors<BF16, N> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn part(self, words: [u32; N], part: usize) -> [u32; N] {
        words.map(|word| if part == 0 { word << 16 } else { word & 0xFFFF_0000 })
    }

    #[inline(always)]
    fn dot(self, sums: [u32; N], a: [u32; N], b: [u32; N]) -> [u32; N] {
        ArrayVectors::<F32, N>::new().dot(sums, a, b)
    }
}

/// Each word is two parts, of two `i16` each: elements 0 and 2, then 1 and 3.
impl<const N: usize> Dot for ArrayVectors<S8, N> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn part(self, words: [u32; N], part: usize) -> [u32; N] {
        words.map(|word| {
            let [low, high] = [word, word >> 16].map(|half| (half >> (8 * part)) as i8 as u16);
            u32::from(low) | u32::from(high) << 16
        })
    }

    #[inline(always)]
    fn dot(self, sums: [u32; N], a: [u32; N], b: [u32; N]) -> [u32; N] {
        ArrayVectors::<S16, N>::new().dot(sums, a, b)
    }
}

/// Two `i16`.
impl<const N: usize> Dot for ArrayVectors<S16, N> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: [u32; N], _: usize) -> [u32; N] {
        words
    }

    #[inline(always)]
    fn dot(self, sums: [u32; N], a: [u32; N], b: [u32; N]) -> [u32; N] {
        let low = |word: u32| i32::from(word as i16);
        let high = |word: u32| i32::from((word >> 16) as i16);
        // Two products of 16 bits never overflow their sum; the sum of all wraps.
        core::array::from_fn(|i| {
            sums[i].wrapping_add((low(a[i]) * low(b[i]) + high(a[i]) * high(b[i])) as u32)
        })
    }
}

/// Rows and vectors of 4 words in a block.
pub(super) const ROWS: usize = 4;
pub(super) const COLUMNS: usize = 2 * 4;
/// Vectors of a block of one row: so many sums that none waits for another.
const WIDE_VECTORS: usize = 2;
/// Columns of such a block.
pub(super) const WIDE: usize = WIDE_VECTORS * 4;

pub(super) fn f32(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<F32, 4>::new(), block);
}

pub(super) fn bf16(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<BF16, 4>::new(), block);
}

pub(super) fn s8(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<S8, 4>::new(), block);
}

/// One row of [`f32`].
pub(super) fn f32_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<F32, 4>::new(), block);
}

/// One row of [`bf16`].
pub(super) fn bf16_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<BF16, 4>::new(), block);
}

/// One row of [`s8`].
pub(super) fn s8_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<S8, 4>::new(), block);
}

/// One row of [`f32`], in more columns.
pub(super) fn f32_wide_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, WIDE_VECTORS>(ArrayVectors::<F32, 4>::new(), block);
}

/// One row of [`bf16`], in more columns.
pub(super) fn bf16_wide_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, WIDE_VECTORS>(ArrayVectors::<BF16, 4>::new(), block);
}

/// One row of [`s8`], in more columns.
pub(super) fn s8_wide_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, WIDE_VECTORS>(ArrayVectors::<S8, 4>::new(), block);
}

pub(super) fn s16(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<S16, 4>::new(), block);
}

/// One row of [`s16`].
pub(super) fn s16_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<S16, 4>::new(), block);
}

/// One row of [`s16`], in more columns.
pub(super) fn s16_wide_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, WIDE_VECTORS>(ArrayVectors::<S16, 4>::new(), block);
}
