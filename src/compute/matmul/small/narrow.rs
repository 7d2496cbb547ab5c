//! Small products of elements of which a word has several: `bf16` in pairs, `s8` in fours.
//!
//! A dot product multiplies a word of neighbours in a row of `A` by a word of neighbours in a column of `B`. In
//! `bf16[64,64]{1,0:T(8,128)(2,1)}` these are the words of `B`; in row-major order, they are the words of `A`. An operand in
//! another arrangement is copied to the stack, which takes at most 8 KiB.
#![allow(unsafe_code, reason = "the unused part of arrays on the stack stays uninitialized")]

use super::{MAX_NARROW, Rows, Small, SmallDot, Words};
use crate::compute::matmul::grid::Word;
use crate::cpu::array;
use core::mem::MaybeUninit;

/// The largest number of words of an operand on the stack: that of `bf16`.
const CAPACITY: usize = MAX_NARROW * MAX_NARROW / 2;

impl Small {
    /// The product of elements of which a word has `STACK`.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    pub(in crate::compute::matmul) fn narrow<S: SmallDot, const ROWS: usize, const STACK: usize>(
        &self,
        simd: S,
        a: &[u8],
        b: &[u8],
        c: &mut [u8],
    ) {
        let Self { dims: [rows, depth, columns], a: a_rows, b: b_rows, c: c_rows, .. } = *self;
        let steps = depth.div_ceil(STACK);
        let is_whole = depth.is_multiple_of(STACK);
        let (mut a_words, mut b_words) = ([UNWRITTEN; CAPACITY], [UNWRITTEN; CAPACITY]);
        let in_place = is_whole && a_rows.stack == 1 && a_rows.stride.is_multiple_of(STACK);
        let (a, a_stride) = if in_place && S::EXCESS.is_none() {
            (a.as_chunks().0, a_rows.stride / STACK)
        } else {
            let (excess, to) = (S::EXCESS.unwrap_or(0), WordBuffer::new(&mut a_words));
            let words = match a_rows.stack {
                1 => copy_rows::<STACK>(a, a_rows.stride, [rows, depth], excess, to),
                _ => unstack::<STACK>(a, a_rows.stride, [rows, depth], excess, to),
            };
            (words, steps)
        };
        let (b, b_stride) = if is_whole && b_rows.stack == STACK {
            (b.as_chunks().0, b_rows.stride)
        } else {
            (stack::<STACK>(b, b_rows, [depth, columns], WordBuffer::new(&mut b_words)), columns)
        };
        let product = Words {
            dims: [rows, steps, columns],
            strides: [a_stride, b_stride, c_rows.stride],
            pads: self.pads,
        };
        product.by_blocks::<S, ROWS>(simd, a, b, c.as_chunks_mut().0);
    }
}

/// A word of the stack that has not been written.
const UNWRITTEN: MaybeUninit<Word> = MaybeUninit::uninit();

/// Words that are written one after the other.
struct WordBuffer<'a> {
    words: &'a mut [MaybeUninit<Word>; CAPACITY],
    /// The number of words that have been written.
    len: usize,
}

impl<'a> WordBuffer<'a> {
    fn new(words: &'a mut [MaybeUninit<Word>; CAPACITY]) -> Self {
        Self { words, len: 0 }
    }

    /// Writes `count` words, each computed from its number.
    #[inline(always)]
    fn extend(&mut self, count: usize, word: impl Fn(usize) -> u32) {
        for (i, to) in self.words[self.len..][..count].iter_mut().enumerate() {
            to.write(word(i).to_le_bytes());
        }
        self.len += count;
    }

    /// All words that have been written.
    fn written(self) -> &'a [Word] {
        // SAFETY: `extend` has written these words, one after the other.
        unsafe { self.words[..self.len].assume_init_ref() }
    }
}

/// Copies rows of elements and adds `excess` to each word. `excess` has only the highest bit of each element, which flips.
#[inline(always)]
fn copy_rows<'a, const STACK: usize>(
    from: &[u8],
    stride: usize,
    [rows, columns]: [usize; 2],
    excess: u32,
    mut to: WordBuffer<'a>,
) -> &'a [Word] {
    let width = 4 / STACK;
    for row in 0..if columns > 0 { rows } else { 0 } {
        let (words, rest) = from[row * stride * width..][..columns * width].as_chunks::<4>();
        to.extend(words.len(), |i| u32::from_le_bytes(words[i]) ^ excess);
        if !rest.is_empty() {
            let mut last = Word::default();
            last[..rest.len()].copy_from_slice(rest);
            to.extend(1, |_| u32::from_le_bytes(last) ^ excess);
        }
    }
    to.written()
}

/// Copies rows of elements from words of `STACK` rows, and adds `excess` to each word.
#[inline(always)]
fn unstack<'a, const STACK: usize>(
    from: &[u8],
    stride: usize,
    [rows, columns]: [usize; 2],
    excess: u32,
    mut to: WordBuffer<'a>,
) -> &'a [Word] {
    let from = from.as_chunks::<4>().0;
    for row in 0..if columns > 0 { rows } else { 0 } {
        let words = &from[row / STACK * stride..][..columns];
        let (whole, rest) = words.split_at(columns - columns % STACK);
        take_row::<STACK>(whole, row % STACK, excess, &mut to);
        if !rest.is_empty() {
            let mut last = [Word::default(); STACK];
            last[..rest.len()].copy_from_slice(rest);
            take_row::<STACK>(&last, row % STACK, excess, &mut to);
        }
    }
    to.written()
}

/// Copies the elements of one row from a row of words with `STACK` elements each: whole words of these elements, in loops that
/// are vectorized.
#[inline(always)]
fn take_row<const STACK: usize>(words: &[Word], row: usize, excess: u32, to: &mut WordBuffer<'_>) {
    let shift = row * 32 / STACK;
    match STACK {
        2 => {
            let pairs = words.as_flattened().as_chunks::<8>().0;
            to.extend(pairs.len(), |i| {
                let pair = u64::from_le_bytes(pairs[i]) >> shift;
                (pair & 0xFFFF | pair >> 16 & 0xFFFF_0000) as u32 ^ excess
            });
        }
        4 => {
            let fours = words.as_flattened().as_chunks::<16>().0;
            to.extend(fours.len(), |i| {
                let half = |bytes: &[u8]| {
                    let pair = u64::from_le_bytes(bytes.try_into().expect("8 bytes")) >> shift;
                    (pair & 0xFF | pair >> 24 & 0xFF00) as u32
                };
                (half(&fours[i][..8]) | half(&fours[i][8..]) << 16) ^ excess
            });
        }
        _ => unreachable!("a word has 2 or 4 elements"),
    }
}

/// Makes words of `STACK` rows; rows that are missing in the last words are zeros.
#[inline(always)]
fn stack<'a, const STACK: usize>(
    from: &[u8],
    lie: Rows,
    [rows, columns]: [usize; 2],
    mut to: WordBuffer<'a>,
) -> &'a [Word] {
    let (bits, width) = (32 / STACK, 4 / STACK);
    for first in (0..if columns > 0 { rows } else { 0 }).step_by(STACK) {
        let left = (rows - first).min(STACK);
        if lie.stack == STACK {
            let mask = u32::MAX >> (32 - left * bits);
            let words = &from.as_chunks::<4>().0[first / STACK * lie.stride..][..columns];
            to.extend(columns, |i| u32::from_le_bytes(words[i]) & mask);
            continue;
        }
        let none = [0; 4 * MAX_NARROW];
        let row = |i| match i < left {
            true => &from[(first + i) * lie.stride * width..][..columns * width],
            false => &none[..columns * width],
        };
        match STACK {
            2 => {
                let (a, b) = (row(0).as_chunks::<2>().0, row(1).as_chunks::<2>().0);
                let (a, b) = (&a[..columns], &b[..columns]);
                let bits = |element| u32::from(u16::from_le_bytes(element));
                to.extend(columns, |i| bits(a[i]) | bits(b[i]) << 16);
            }
            4 => {
                let [a, b, c, d]: [&[u8]; 4] = array(|i| &row(i)[..columns]);
                to.extend(columns, |i| u32::from_le_bytes([a[i], b[i], c[i], d[i]]));
            }
            _ => unreachable!("a word has 2 or 4 elements"),
        }
    }
    to.written()
}
