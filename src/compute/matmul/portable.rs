//! Vectors as arrays, for CPUs without a known instruction set.
#![allow(unsafe_code, reason = "the interface of vectors reads and writes memory")]

use super::grid::Word;
use super::lanes::{Dot, MicroBlock, Vectors, multiply};
use super::row_run::{RowRun, multiply_run};
use super::small::{FirstLanes, Small, SmallDot};
use crate::element::{BF16, F32, F64, S8, S16};
use core::marker::PhantomData;

/// Vectors of `N` words that contain elements `E`.
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
    /// As for [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> [u32; N] {
        // SAFETY: the caller promises that these words are readable; an array of bytes has no alignment.
        let words = unsafe { from.cast::<[Word; N]>().read() };
        words.map(u32::from_le_bytes)
    }

    /// # Safety
    /// As for [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: [u32; N], to: *mut Word) {
        // SAFETY: the caller promises that these words are writable; an array of bytes has no alignment.
        unsafe { to.cast::<[Word; N]>().write(words.map(u32::to_le_bytes)) }
    }
}

impl<E, const N: usize> FirstLanes for ArrayVectors<E, N> {
    type Mask = usize;

    #[inline(always)]
    fn or(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        core::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn is_zero(self, words: [u32; N]) -> bool {
        words == [0; N]
    }

    #[inline(always)]
    fn first(self, count: usize) -> usize {
        count
    }

    /// # Safety
    /// As for [`FirstLanes::load_first`].
    #[inline(always)]
    unsafe fn load_first(self, count: usize, from: *const Word) -> [u32; N] {
        if count == N {
            // SAFETY: the caller promises the same.
            return unsafe { self.load(from) };
        }
        core::array::from_fn(|i| match i < count {
            // SAFETY: the caller promises the same.
            true => u32::from_le_bytes(unsafe { *from.add(i) }),
            false => 0,
        })
    }

    /// # Safety
    /// As for [`FirstLanes::store_first`].
    #[inline(always)]
    unsafe fn store_first(self, words: [u32; N], count: usize, to: *mut Word) {
        if count == N {
            // SAFETY: the caller promises the same.
            return unsafe { self.store(words, to) };
        }
        for (i, word) in words.into_iter().enumerate().take(count) {
            // SAFETY: the caller promises the same.
            unsafe { *to.add(i) = word.to_le_bytes() };
        }
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

/// Two words are an `f64`.
impl<const N: usize> Dot for ArrayVectors<F64, N> {
    const PARTS: usize = 1;
    const FACTOR_WORDS: usize = 2;

    #[inline(always)]
    fn part(self, words: [u32; N], _: usize) -> [u32; N] {
        words
    }

    #[inline(always)]
    fn dot(self, mut sums: [u32; N], a: [u32; N], b: [u32; N]) -> [u32; N] {
        let double = |[low, high]: [u32; 2]| f64::from_bits(u64::from(low) | u64::from(high) << 32);
        let factors = a.as_chunks().0.iter().zip(b.as_chunks().0);
        for (sum, (a, b)) in sums.as_chunks_mut().0.iter_mut().zip(factors) {
            let bits = (double(*a) * double(*b) + double(*sum)).to_bits();
            *sum = [bits as u32, (bits >> 32) as u32];
        }
        sums
    }

    /// # Safety
    /// As for [`Dot::dot_row`].
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [[u32; N]; VECTORS],
        a: *const u32,
        b: [[u32; N]; VECTORS],
    ) {
        // SAFETY: the caller promises the words.
        let a = unsafe { self.factor(a.cast()) };
        for (sums, b) in sums.iter_mut().zip(b) {
            *sums = self.dot(*sums, a, b);
        }
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
        // The sum of two products of 16-bit numbers never overflows; the sum of all wraps.
        core::array::from_fn(|i| {
            sums[i].wrapping_add((low(a[i]) * low(b[i]) + high(a[i]) * high(b[i])) as u32)
        })
    }
}

/// The rows of a block, and its vectors of 4 words.
pub(super) const ROWS: usize = 4;
pub(super) const COLUMNS: usize = 2 * 4;
/// The vectors of a block of one row: enough sums that none waits for another.
const WIDE_VECTORS: usize = 2;
/// The columns of a block of one row.
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
pub(super) fn f32_wide_row(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, WIDE_VECTORS>(ArrayVectors::<F32, 4>::new(), run);
}

/// One row of [`bf16`], in more columns.
pub(super) fn bf16_wide_row(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, WIDE_VECTORS>(ArrayVectors::<BF16, 4>::new(), run);
}

/// One row of [`s8`], in more columns.
pub(super) fn s8_wide_row(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, WIDE_VECTORS>(ArrayVectors::<S8, 4>::new(), run);
}

pub(super) fn s16(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<S16, 4>::new(), block);
}

/// One row of [`s16`].
pub(super) fn s16_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<S16, 4>::new(), block);
}

/// One row of [`s16`], in more columns.
pub(super) fn s16_wide_row(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, WIDE_VECTORS>(ArrayVectors::<S16, 4>::new(), run);
}

impl<const N: usize> SmallDot for ArrayVectors<F32, N> {}

impl<const N: usize> SmallDot for ArrayVectors<F64, N> {
    /// # Safety
    /// As for [`SmallDot::factor`].
    #[inline(always)]
    unsafe fn factor(self, at: *const Word) -> [u32; N] {
        // SAFETY: the caller promises the words; an array of bytes has no alignment.
        let words = unsafe { at.cast::<[Word; 2]>().read() }.map(u32::from_le_bytes);
        core::array::from_fn(|i| words[i % 2])
    }
}

/// A small product of `f32`.
pub(super) fn small_f32(product: &Small, a: &[u8], b: &[u8], c: &mut [u8]) {
    product.wide::<_, 4>(ArrayVectors::<F32, 4>::new(), a, b, c);
}

/// A small product of elements that are widened to `f32`.
pub(super) fn small_widened(product: &Small, a: &[u8], b: &[u8], c: &mut [u8]) {
    product.widened::<_, 4>(ArrayVectors::<F32, 4>::new(), a, b, c);
}

/// A small product of `f64`.
pub(super) fn small_f64(product: &Small, a: &[u8], b: &[u8], c: &mut [u8]) {
    product.wide::<_, 4>(ArrayVectors::<F64, 4>::new(), a, b, c);
}

/// Blocks of `f64`.
pub(super) fn f64(block: &mut MicroBlock<'_>) {
    multiply::<_, ROWS, 2>(ArrayVectors::<F64, 4>::new(), block);
}

/// One row of [`f64`].
pub(super) fn f64_row(block: &mut MicroBlock<'_>) {
    multiply::<_, 1, 2>(ArrayVectors::<F64, 4>::new(), block);
}

/// One row of [`f64`], in more columns.
pub(super) fn f64_wide_row(run: &mut RowRun<'_>) {
    multiply_run::<_, 1, WIDE_VECTORS>(ArrayVectors::<F64, 4>::new(), run);
}
