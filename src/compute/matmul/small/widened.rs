//! Small products of elements that are widened to `f32`, and whose sums can be rounded or become integers.
//!
//! Operands are widened on the stack, and sums that are rounded are first written to the stack, at most 48 KiB in all. Nothing is
//! allocated.
#![allow(unsafe_code, reason = "the unused part of arrays on the stack stays uninitialized")]

use super::{MAX_NARROW, Rows, Small, SmallDot};
use crate::compute::matmul::grid::Word;
use core::mem::MaybeUninit;
use half::f16;
use layout_core::DType;
use layout_core::dtype::float::{narrow_bf16, narrow_f16, widen_f16};

/// The largest number of elements of a matrix.
const CAPACITY: usize = MAX_NARROW * MAX_NARROW;

impl Small {
    /// The product by dot products of `f32`.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    pub(in crate::compute::matmul) fn widened<S: SmallDot, const ROWS: usize>(
        &self,
        simd: S,
        a: &[u8],
        b: &[u8],
        c: &mut [u8],
    ) {
        let [rows, depth, columns] = self.dims;
        let (mut a_words, mut b_words) = ([UNWRITTEN; CAPACITY], [UNWRITTEN; CAPACITY]);
        let mut product = *self;
        let (a, a_rows) = widen(self.operands[0], a, self.a, [rows, depth], &mut a_words);
        let (b, b_rows) = widen(self.operands[1], b, self.b, [depth, columns], &mut b_words);
        (product.a, product.b) = (a_rows, b_rows);
        if !matches!(self.result, DType::BF16 | DType::F16) {
            product.wide::<S, ROWS>(simd, a, b, c);
            if self.result == DType::S32 {
                to_integers(c.as_chunks_mut().0, [rows, columns], self.c.stride);
            }
            return;
        }
        let mut sums = [UNWRITTEN; CAPACITY];
        let sums = zeros(&mut sums[..rows * columns]);
        (product.c, product.pads) = (Rows { stride: columns, stack: 1 }, false);
        product.wide::<S, ROWS>(simd, a, b, sums.as_flattened_mut());
        self.round(sums, c);
    }

    /// Writes rows of sums to `c`, rounded to `bf16` or `f16`, and zeros to its padding.
    #[inline(always)]
    pub(super) fn round(&self, sums: &[Word], c: &mut [u8]) {
        let [_, _, columns] = self.dims;
        if self.pads {
            c.fill(0);
        }
        match self.result {
            DType::BF16 => round(sums, columns, self.c, c, |sum| narrow_bf16(sum).to_bits()),
            _ => round(sums, columns, self.c, c, |sum| narrow_f16(sum).to_bits()),
        }
    }
}

/// Words of the stack as sums of nothing.
#[inline(always)]
pub(super) fn zeros(words: &mut [MaybeUninit<Word>]) -> &mut [Word] {
    for word in &mut *words {
        word.write(Word::default());
    }
    // SAFETY: these words have just been written.
    unsafe { words.assume_init_mut() }
}

/// A word of the stack that has not been written.
const UNWRITTEN: MaybeUninit<Word> = MaybeUninit::uninit();

/// The rows of an operand as `f32`: where they are, or as copies, one after the other.
#[inline(always)]
fn widen<'a>(
    dtype: DType,
    from: &'a [u8],
    lie: Rows,
    dims: [usize; 2],
    to: &'a mut [MaybeUninit<Word>; CAPACITY],
) -> (&'a [u8], Rows) {
    let words = match dtype {
        DType::BF16 => numbers::<2>(from, lie, dims, to, |bits| f32::from_bits(bits << 16)),
        DType::F16 => {
            numbers::<2>(from, lie, dims, to, |bits| widen_f16(f16::from_bits(bits as u16)))
        }
        DType::S8 => numbers::<4>(from, lie, dims, to, |bits| f32::from(bits as i8)),
        DType::U8 => numbers::<4>(from, lie, dims, to, |bits| f32::from(bits as u8)),
        _ => return (from, lie),
    };
    (words, Rows { stride: dims[1], stack: 1 })
}

/// The numbers of elements of which a word has `STACK`. The bits above an element are not zero: the first of two elements of
/// `0x3F80_4000` is `0x3F80_4000`, and the second one `0x3F80`.
#[inline(always)]
fn numbers<'a, const STACK: usize>(
    from: &[u8],
    lie: Rows,
    [rows, columns]: [usize; 2],
    to: &'a mut [MaybeUninit<Word>; CAPACITY],
    number: impl Fn(u32) -> f32,
) -> &'a [u8] {
    let (bits, width) = (32 / STACK, 4 / STACK);
    for row in 0..if columns > 0 { rows } else { 0 } {
        let to = &mut to[row * columns..][..columns];
        if lie.stack == STACK {
            let words = &from.as_chunks::<4>().0[row / STACK * lie.stride..][..columns];
            let shift = row % STACK * bits;
            for (to, word) in to.iter_mut().zip(words) {
                to.write(number(u32::from_le_bytes(*word) >> shift).to_le_bytes());
            }
            continue;
        }
        let elements = &from[row * lie.stride * width..][..columns * width];
        if STACK == 2 {
            for (to, element) in to.iter_mut().zip(elements.as_chunks::<2>().0) {
                to.write(number(u16::from_le_bytes(*element).into()).to_le_bytes());
            }
        } else {
            for (to, element) in to.iter_mut().zip(elements) {
                to.write(number((*element).into()).to_le_bytes());
            }
        }
    }
    // SAFETY: the loop has written all elements of these rows.
    unsafe { to[..rows * columns].assume_init_ref() }.as_flattened()
}

/// Replaces sums that are integers by integers. Their magnitude is at most `64 * 255 * 255`, which is less than 2^22, so a number from
/// 2^23 to 2^24 remains when 1.5 * 2^23 is added, and its bits are as far from those of 1.5 * 2^23 as the integer from 0. A cast
/// would check for NaN and for numbers out of range, one by one.
#[inline(always)]
fn to_integers(c: &mut [Word], [rows, columns]: [usize; 2], stride: usize) {
    const SHIFT: f32 = 12_582_912.0;
    for row in 0..if columns > 0 { rows } else { 0 } {
        for word in &mut c[row * stride..][..columns] {
            let bits = (f32::from_le_bytes(*word) + SHIFT).to_bits();
            *word = bits.wrapping_sub(SHIFT.to_bits()).to_le_bytes();
        }
    }
}

/// Writes rows of sums, rounded to 16 bits, to a matrix.
#[inline(always)]
fn round(sums: &[Word], columns: usize, lie: Rows, c: &mut [u8], rounded: impl Fn(f32) -> u16) {
    let bits = |sum: Word| rounded(f32::from_le_bytes(sum));
    if sums.is_empty() {
        return;
    }
    if lie.stack == 1 {
        for (row, sums) in sums.chunks_exact(columns).enumerate() {
            let to = &mut c.as_chunks_mut::<2>().0[row * lie.stride..][..columns];
            for (to, sum) in to.iter_mut().zip(sums) {
                *to = bits(*sum).to_le_bytes();
            }
        }
        return;
    }
    for (row, sums) in sums.chunks(2 * columns).enumerate() {
        let to = &mut c.as_chunks_mut::<4>().0[row * lie.stride..][..columns];
        let (low, high) = sums.split_at(columns);
        if high.is_empty() {
            for (to, low) in to.iter_mut().zip(low) {
                *to = u32::from(bits(*low)).to_le_bytes();
            }
        }
        for ((to, low), high) in to.iter_mut().zip(low).zip(high) {
            *to = (u32::from(bits(*low)) | u32::from(bits(*high)) << 16).to_le_bytes();
        }
    }
}
