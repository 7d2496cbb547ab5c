//! The micro-kernel, written once for all instruction sets and element types.
//!
//! With AVX2 and `f32`, a block has 6 rows of `A` and 16 columns of `B`, so 6 x 2 vectors of sums in registers. For each row
//! `k` of `B`, two vectors are loaded, `b[k][0..8]` and `b[k][8..16]`. Then for each row `i` of `A`, the word `a[i][k]` is
//! broadcast and multiplied by both: 12 multiply-adds for 2 loads and 6 broadcasts. With `bf16`, a word is two neighbours in a
//! column of `B`, and is multiplied by two neighbours in a row of `A`, in two parts.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]

use super::grid::{Grid, Word};
use crate::cpu::{prefetch, prefetch_behind};
use core::ops::Range;

/// For each byte, the low byte of the `bf16` of an element; then, for each byte, the high byte.
pub(super) type ByteTable = [[u8; 256]; 2];

/// The table of kernels that do not look up elements.
pub(super) static NO_TABLE: ByteTable = [[0; 256]; 2];

/// The words of a cache line.
pub(super) const LINE_WORDS: usize = 16;

/// The operations of an instruction set on a vector of words. A value proves that the CPU has the instructions.
pub(super) trait Vectors: Copy {
    /// A vector of words.
    type Vector: Copy;
    /// The number of words in a vector.
    const LANES: usize;
    /// The number of registers of vectors.
    const REGISTERS: usize = 32;

    /// A vector of equal words.
    fn splat(self, word: u32) -> Self::Vector;
    /// The bits that are set in both vectors.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The words that start at an address, which need not be aligned.
    ///
    /// # Safety
    /// `LANES` words must be readable there.
    unsafe fn load(self, from: *const Word) -> Self::Vector;
    /// Writes words to an address that need not be aligned.
    ///
    /// # Safety
    /// `LANES` words must be writable there.
    unsafe fn store(self, words: Self::Vector, to: *mut Word);
}

/// The operations of an instruction set on the elements in words.
///
/// A word of `B` contains as many elements as fit, which are neighbours in a column; the word of `A` by which it is multiplied
/// contains neighbours in a row. If no instruction computes their dot product, it is computed in parts.
pub(super) trait Dot: Vectors {
    /// The number of parts in which the dot product of two words is computed.
    const PARTS: usize;
    /// The words of a panel of `A` by which a word of `B` is multiplied: two if it contains half of an element of 64 bits.
    const FACTOR_WORDS: usize = 1;
    /// Whether all parts of a word are multiplied when it is loaded, which needs more registers, instead of one part of all words
    /// after the other.
    const TOGETHER: bool = false;

    /// The operand of `dot` for part number `part` of words of `B`.
    fn part(self, words: Self::Vector, part: usize) -> Self::Vector;
    /// `sums`, of 32 bits each, plus the dot products of parts of `A` and `B`.
    fn dot(self, sums: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Adds the dot products of a part of a word of `A` and of parts of words of `B`.
    ///
    /// # Safety
    /// [`Dot::FACTOR_WORDS`] words at `a` must be readable.
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [Self::Vector; VECTORS],
        a: *const u32,
        b: [Self::Vector; VECTORS],
    ) {
        // SAFETY: the caller promises the word.
        let a = self.splat(unsafe { *a });
        for (sums, b) in sums.iter_mut().zip(b) {
            *sums = self.dot(*sums, a, b);
        }
    }
}

/// The words of `B` that a micro-kernel reads: some rows of a few words each.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    /// All words from the first to the last.
    words: &'a [Word],
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The words from one row of a tile to the next.
    pub(super) width: usize,
    /// The rows of a tile.
    height: usize,
    /// The number of rows that are left in the first tile.
    left: usize,
    /// The words from one tile to the tile below.
    tile: usize,
    /// The bits of the last row that belong to elements and not to padding.
    pub(super) mask: u32,
}

impl<'a> Panel<'a> {
    /// The panel of a matrix of words that starts at a row and column. `mask` has the bits of the last row that belong to
    /// elements.
    ///
    /// # Panics
    /// If the matrix does not have that many words there, or if a tile ends within a row of the panel.
    pub(super) fn new(
        words: &'a [Word],
        grid: &Grid,
        rows: Range<usize>,
        columns: Range<usize>,
        mask: u32,
    ) -> Self {
        let Grid { height, width, across } = *grid;
        assert!(columns.start % width + columns.len() <= width);
        let (first, left) = (grid.offset(rows.start, columns.start), height - rows.start % height);
        if rows.is_empty() {
            return Self {
                words: &[],
                rows: 0,
                columns: columns.len(),
                width,
                height,
                left,
                tile: 0,
                mask: u32::MAX,
            };
        }
        // No earlier row ends after the last one.
        let end = grid.offset(rows.end - 1, columns.start) + columns.len();
        let (words, tile) = (&words[first..end], across * height * width);
        Self { words, rows: rows.len(), columns: columns.len(), width, height, left, tile, mask }
    }

    /// The panel of some rows and columns. Its first row is row `row` of its tile, and its first word is number `first`.
    ///
    /// # Panics
    /// If the matrix does not have that many words there.
    #[inline]
    pub(super) fn at(
        words: &'a [Word],
        &Grid { height, width, across }: &Grid,
        (row, rows): (usize, usize),
        (first, columns): (usize, usize),
        mask: u32,
    ) -> Self {
        let (left, tile) = (height - row, across * height * width);
        // The start of the last row.
        let last = if rows <= left {
            (rows - 1) * width
        } else {
            let below = rows - left;
            let tiles = below.div_ceil(height);
            tiles * tile + (below - 1) % height * width - row * width
        };
        let words = &words[first..first + last + columns];
        Self { words, rows, columns, width, height, left, tile, mask }
    }

    /// The words of the panel, and those between them.
    pub(super) fn words(&self) -> &'a [Word] {
        self.words
    }

    /// Whether all rows are [`width`](Self::width) words apart: no tile ends within the panel, or further tiles follow below each
    /// other.
    pub(super) fn is_in_one_tile(&self) -> bool {
        self.rows <= self.left || self.tile == self.height * self.width
    }

    /// The words from each tile to the one below it, if the panel begins at the top of tiles of that many rows.
    pub(super) fn tile_of(&self, height: usize) -> Option<usize> {
        (self.height == height && self.left == height).then_some(self.tile)
    }

    /// From some rows, of which there are `left` to the end of their tile, to the row after them.
    #[inline(always)]
    fn distance_after(&self, rows: usize, left: usize) -> usize {
        if rows < left { rows * self.width } else { self.tile - (self.height - left) * self.width }
    }

    /// The distance in words to a row at least that many rows below.
    #[inline(always)]
    pub(super) fn distance(&self, rows: usize) -> usize {
        match self.height < rows {
            true => rows.div_ceil(self.height) * self.tile,
            false => rows * self.width,
        }
    }

    /// The rows of each tile: the position of the first word of the first row, and the number of rows.
    #[inline(always)]
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let panel = *self;
        let (mut done, mut left, mut at) = (0, panel.left, 0);
        core::iter::from_fn(move || {
            let (rows, first) = (left.min(panel.rows - done), at);
            done += rows;
            at += panel.distance_after(rows, left);
            left = panel.height;
            (rows > 0).then_some((first, rows))
        })
    }

    /// Calls `with` for the words of each of some rows.
    #[inline]
    pub(super) fn each_row(&self, rows: Range<usize>, mut with: impl FnMut(&'a [Word])) {
        // From the last row of a tile to the first row of the tile below.
        let below = self.tile - (self.height - 1) * self.width;
        let (mut at, mut left) = (rows.start * self.width, self.left);
        if let Some(rows) = rows.start.checked_sub(self.left) {
            at = (self.left - 1 + rows / self.height * (self.height - 1) + rows % self.height)
                * self.width
                + (1 + rows / self.height) * below;
            left = self.height - rows % self.height;
        } else {
            left -= rows.start;
        }
        for _ in rows {
            with(&self.words[at..][..self.columns]);
            left -= 1;
            at += if left > 0 { self.width } else { below };
            if left == 0 {
                left = self.height;
            }
        }
    }
}

/// The initial sums of a block.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// Zero.
    Zero,
    /// One number for each column.
    Columns(&'a [Word]),
    /// The values in `C`.
    Sums,
}

/// The product of a few rows of `A` and a few columns of `B`.
pub(super) struct MicroBlock<'a> {
    /// For each part and each row of words of `B`, one word of each row of `A`.
    pub(super) a: &'a [u32],
    pub(super) b: Panel<'a>,
    pub(super) start: Start<'a>,
    pub(super) c: &'a mut [Word],
    /// The start of each row of the block in `c`.
    pub(super) rows: &'a [usize],
    /// The start of each row of the next block, to be prefetched.
    pub(super) next: &'a [usize],
    /// Words of `B` to prefetch into the L2 cache.
    pub(super) ahead: &'a [Word],
    /// The table of the kernel.
    #[cfg_attr(
        not(all(target_arch = "x86_64", feature = "std")),
        expect(dead_code, reason = "only AVX-512 looks up bytes")
    )]
    pub(super) table: &'a ByteTable,
}

/// The initial sums of a block of `ROWS` rows and `VECTORS` vectors. Also prefetches the next block of `C`.
///
/// # Panics
/// If a slice of the block is too short.
#[inline(always)]
pub(super) fn load_sums<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    block: &MicroBlock<'_>,
) -> [[S::Vector; VECTORS]; ROWS] {
    let columns = VECTORS * S::LANES;
    let panel = block.b;
    assert!(block.rows.len() == ROWS && panel.columns == columns);
    assert!(block.rows.iter().all(|&at| at <= block.c.len() && columns <= block.c.len() - at));

    let mut sums = [[simd.splat(0); VECTORS]; ROWS];
    for (sums, &row) in sums.iter_mut().zip(block.rows) {
        let from = match block.start {
            Start::Zero => continue,
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
    for &at in block.next {
        for line in (0..columns).step_by(LINE_WORDS) {
            prefetch(block.c.as_ptr().wrapping_add(at + line));
        }
    }
    sums
}

/// Writes the sums of a block to `C`.
///
/// # Panics
/// If a slice of the block is too short.
#[inline(always)]
pub(super) fn store_sums<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    block: &mut MicroBlock<'_>,
    sums: [[S::Vector; VECTORS]; ROWS],
) {
    for (sums, &row) in sums.into_iter().zip(block.rows) {
        let to = &mut block.c[row..][..VECTORS * S::LANES];
        for (j, sums) in sums.into_iter().enumerate() {
            // SAFETY: each row of the block has a word for each column.
            unsafe { simd.store(sums, to.as_mut_ptr().add(j * S::LANES)) };
        }
    }
}

/// Computes a block of `ROWS` rows and `VECTORS` vectors.
///
/// # Panics
/// If a slice of the block is too short.
#[inline(always)]
pub(super) fn multiply<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    block: &mut MicroBlock<'_>,
) {
    let (panel, factors) = (block.b, ROWS * S::FACTOR_WORDS);
    assert!(block.a.len() == panel.rows * S::PARTS * factors);
    let mut sums = load_sums::<_, ROWS, VECTORS>(simd, block);
    let mut ahead = block.ahead.as_chunks::<LINE_WORDS>().0;
    // The rows that are elements in all bits.
    let whole = panel.rows - usize::from(panel.mask != u32::MAX);
    // The words from the factors of one part to those of the next.
    let apart = panel.rows * factors;
    // Unless they are multiplied together: one part after the other, each over all rows of words.
    for part in 0..if S::TOGETHER { 1 } else { S::PARTS } {
        let mut a = block.a[part * apart..].as_ptr();
        let (mut done, mut left, mut at) = (0, panel.left, 0);
        while done < whole {
            let run = left.min(whole - done);
            let mut b = panel.words[at..].as_ptr();
            // Two loops instead of a branch in each iteration of one.
            let (lines, later) = ahead.split_at(ahead.len().min(run));
            for line in lines {
                prefetch_behind(line);
                // SAFETY: the panel promises that its words exist, and `a` has words for each row of words.
                unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, None) };
                b = b.wrapping_add(panel.width);
                a = a.wrapping_add(factors);
            }
            for _ in lines.len()..run {
                // SAFETY: as above.
                unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, None) };
                b = b.wrapping_add(panel.width);
                a = a.wrapping_add(factors);
            }
            ahead = later;
            done += run;
            at += panel.distance_after(run, left);
            left = panel.height;
        }
        if whole < panel.rows {
            let (b, mask) = (panel.words[at..].as_ptr(), simd.splat(panel.mask));
            // SAFETY: as above.
            unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, Some(mask)) };
        }
    }
    store_sums(simd, block, sums);
}

/// Adds the products of one row of words, or of one part of them. `apart` is the number of words from the factors of one part to
/// those of the next.
///
/// # Safety
/// The words of `ROWS` factors must be readable at `a`, or at that distance for each part if all are multiplied together, and
/// `VECTORS` vectors at `b`.
#[inline(always)]
pub(super) unsafe fn multiply_row<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    sums: &mut [[S::Vector; VECTORS]; ROWS],
    part: usize,
    (a, apart): (*const u32, usize),
    b: *const Word,
    mask: Option<S::Vector>,
) {
    if const { ROWS == 1 && S::TOGETHER && VECTORS > 2 && 2 * VECTORS >= S::REGISTERS } {
        // The sums and the words do not fit the registers, so two vectors are finished before the next ones are loaded.
        for (pair, sums) in sums[0].as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let b = b.wrapping_add(2 * pair * S::LANES);
            let sums = core::array::from_mut(sums);
            // SAFETY: the caller promises the same words.
            unsafe { multiply_row_of::<_, 1, 2>(simd, sums, part, (a, apart), b, mask) };
        }
        return;
    }
    // SAFETY: as above.
    unsafe { multiply_row_of(simd, sums, part, (a, apart), b, mask) };
}

/// [`multiply_row`] of all vectors together.
///
/// # Safety
/// As for [`multiply_row`].
#[inline(always)]
unsafe fn multiply_row_of<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    sums: &mut [[S::Vector; VECTORS]; ROWS],
    part: usize,
    (a, apart): (*const u32, usize),
    b: *const Word,
    mask: Option<S::Vector>,
) {
    let mut words = [simd.splat(0); VECTORS];
    for (j, words) in words.iter_mut().enumerate() {
        // SAFETY: the caller promises the vectors.
        let all = unsafe { simd.load(b.add(j * S::LANES)) };
        *words = match mask {
            Some(mask) => simd.and(all, mask),
            None => all,
        };
    }
    let (parts, apart) = if S::TOGETHER { (0..S::PARTS, apart) } else { (part..part + 1, 0) };
    for part in parts {
        // Not `map`, whose closure is compiled without the instructions of the kernel.
        let mut factors = words;
        for factors in &mut factors {
            *factors = simd.part(*factors, part);
        }
        for (i, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the caller promises the words.
            unsafe { simd.dot_row(sums, a.add(part * apart + i * S::FACTOR_WORDS), factors) };
        }
    }
}
