//! The micro-kernel, written once for all instruction sets and element types.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes without checks, after they are all made"
)]

use super::grid::{Grid, Word};

/// What an instruction set does with a vector of words. A value stands for a CPU that has the instructions.
pub(super) trait Vectors: Copy {
    /// A vector of words.
    type Vector: Copy;
    /// Words in a vector.
    const LANES: usize;

    /// A vector of equal words.
    fn splat(self, word: u32) -> Self::Vector;
    /// The bits that are set in both.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The words from an address on, which need not be aligned.
    ///
    /// # Safety
    /// `LANES` words must be readable there.
    unsafe fn load(self, from: *const Word) -> Self::Vector;
    /// Writes words, at an address that need not be aligned.
    ///
    /// # Safety
    /// `LANES` words must be writable there.
    unsafe fn store(self, words: Self::Vector, to: *mut Word);
}

/// What an instruction set does with the elements in words.
///
/// A word of `B` holds as many elements as fit, neighbours in a column; the word of `A` that it meets holds neighbours
/// in a row. Where no instruction takes their dot product, it is taken in parts.
pub(super) trait Dot: Vectors {
    /// Parts in which the dot product of two words is taken.
    const PARTS: usize;

    /// What `dot` takes of words of `B` in part number `part`.
    fn part(self, words: Self::Vector, part: usize) -> Self::Vector;
    /// `sums`, of 32 bits each, plus the dot products of parts of `A` and `B`.
    fn dot(self, sums: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// The words of `B` that a micro-kernel reads: a few columns wide.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) words: &'a [Word],
    pub(super) grid: Grid,
    /// The first row of words.
    pub(super) row: usize,
    /// The first column.
    pub(super) column: usize,
}

/// What the sums of a block start from.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// One number for each column.
    Columns(&'a [Word]),
    /// What is in `C`.
    Sums,
}

/// A product of a few rows of `A` and a few columns of `B`.
pub(super) struct Block<'a> {
    /// For each part and each row of words of `B`: one word of each row of `A`.
    pub(super) a: &'a [u32],
    pub(super) b: Panel<'a>,
    /// Rows of words.
    pub(super) depth: usize,
    /// Which bits of the last row of words are elements, and not padding.
    pub(super) mask: u32,
    pub(super) start: Start<'a>,
    pub(super) c: &'a mut [Word],
    /// Where each row of the block starts in `c`.
    pub(super) rows: &'a [usize],
}

/// Computes a block of `ROWS` rows and `VECTORS` vectors.
///
/// # Panics
/// If a slice of the block is too short.
#[inline(always)]
pub(super) fn multiply<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    block: &mut Block<'_>,
) {
    let columns = VECTORS * S::LANES;
    let Panel { words, grid, row, column } = block.b;
    let depth = block.depth;
    let rows: [usize; ROWS] = block.rows.try_into().expect("one offset for each row");
    assert!(block.a.len() == depth * S::PARTS * ROWS);
    // What is left of a row of words is in the last one.
    let end = row + if block.mask == u32::MAX { depth } else { depth - 1 };
    assert!(rows.iter().all(|&at| at <= block.c.len() && columns <= block.c.len() - at));
    assert!(column % grid.width + columns <= grid.width);
    assert!(depth == 0 || grid.offset(row + depth - 1, column) + columns <= words.len());

    let mut sums = [[simd.splat(0); VECTORS]; ROWS];
    for (sums, row) in sums.iter_mut().zip(rows) {
        let from = match block.start {
            Start::Columns(words) => {
                assert!(words.len() >= columns);
                words.as_ptr()
            }
            Start::Sums => block.c[row..].as_ptr(),
        };
        for (j, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the row of sums or starts has `columns` words, as asserted.
            *sums = unsafe { simd.load(from.add(j * S::LANES)) };
        }
    }

    // One part after the other, each over all rows of words: two at a time do not fit the registers.
    for (part, a) in block.a.chunks_exact((depth * ROWS).max(1)).enumerate() {
        let mut a = a.as_ptr();
        let (mut row, mut left) = (row, grid.height - row % grid.height);
        let mut tile = grid.offset(row, column);
        while row < end {
            let run = left.min(end - row);
            let mut b = words[tile..].as_ptr();
            // In a tile, rows of words are `width` words apart. The last of all rows is in the slice, as asserted, and
            // none before it is further on.
            for _ in 0..run {
                // SAFETY: so many words are in the slice, and the panel of A has some for each row of words.
                unsafe { step(simd, &mut sums, part, a, b, None) };
                b = b.wrapping_add(grid.width);
                a = a.wrapping_add(ROWS);
            }
            row += run;
            tile += (grid.across * grid.height - (grid.height - left)) * grid.width;
            left = grid.height;
        }
        if block.mask != u32::MAX {
            let b = words[grid.offset(end, column)..].as_ptr();
            // SAFETY: as above.
            unsafe { step(simd, &mut sums, part, a, b, Some(simd.splat(block.mask))) };
        }
    }

    for (sums, row) in sums.into_iter().zip(rows) {
        let to = block.c[row..].as_mut_ptr();
        for (j, sums) in sums.into_iter().enumerate() {
            // SAFETY: each row of the block has `columns` words, as asserted.
            unsafe { simd.store(sums, to.add(j * S::LANES)) };
        }
    }
}

/// Adds the products of one row of words, or of one part of them.
///
/// # Safety
/// At `a`, `ROWS` words must be readable, at `b`, `VECTORS` vectors.
#[inline(always)]
unsafe fn step<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    sums: &mut [[S::Vector; VECTORS]; ROWS],
    part: usize,
    a: *const u32,
    b: *const Word,
    mask: Option<S::Vector>,
) {
    let mut words = [simd.splat(0); VECTORS];
    for (j, words) in words.iter_mut().enumerate() {
        // SAFETY: the caller promises the vectors.
        let all = unsafe { simd.load(b.add(j * S::LANES)) };
        let elements = match mask {
            Some(mask) => simd.and(all, mask),
            None => all,
        };
        *words = simd.part(elements, part);
    }
    for (i, sums) in sums.iter_mut().enumerate() {
        // SAFETY: the caller promises the words.
        let a = simd.splat(unsafe { *a.add(i) });
        for (sums, b) in sums.iter_mut().zip(words) {
            *sums = simd.dot(*sums, a, b);
        }
    }
}
