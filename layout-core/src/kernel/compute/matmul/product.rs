//! The outer loops of a product, and where `B` is read.
//!
//! `B` is read where it lies if its layout has rows of words, as TPU tiles do, and copied to panels if there are many
//! rows to multiply by it.

use super::choose::{FEW_ROWS, Kernel};
use super::grid::{Grid, Word};
use super::panels::Matrix;
use super::slice::Slice;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Words of `B` in panels at a time.
const COLUMN_WORDS: usize = 1 << 20;

/// Rows of words that are copied to all panels before the next: those of a TPU tile, at least.
const PACKED_ROWS: usize = 8;

/// A product of matrices.
pub(super) struct Product<'a> {
    pub(super) kernel: Kernel,
    pub(super) a: Matrix<'a>,
    /// A matrix of words, or of narrower elements.
    pub(super) b: Matrix<'a>,
    /// Where the sums are.
    pub(super) c: Grid,
}

impl Product<'_> {
    /// Writes the product to `c`, which need not have been written to.
    pub(super) fn run(&self, c: &mut [Word]) {
        let (rows, columns) = (self.a.rows, self.b.columns);
        if rows == 0 || columns == 0 {
            return;
        }
        let words = (self.a.columns * self.a.size).div_ceil(4);
        let depth = words.div_ceil(words.div_ceil(self.kernel.depth).max(1)).max(1);
        let direct = self.reads_tiles(words > depth);
        let panels = (COLUMN_WORDS / (self.kernel.columns * depth))
            .clamp(1, columns.div_ceil(self.kernel.columns));
        let mut packed =
            Aligned::new(if direct { 0 } else { panels * self.kernel.columns * depth });
        for start in (0..words.max(1)).step_by(depth) {
            let words = start..words.min(start + depth);
            if direct {
                let Matrix { bytes, ref grid, .. } = self.b;
                let b = (bytes.as_chunks().0, grid, start);
                Slice::new(self, words, 0..columns, b).run(c);
            } else {
                self.run_packed(words, &mut packed, c);
            }
        }
    }

    /// Whether `B` is read where it lies: it has rows of words in which no tile ends within a block, and there are too
    /// few rows of `A` for a copy to pay. Reading in several slices is slower.
    fn reads_tiles(&self, slices: bool) -> bool {
        let Matrix { grid, size, .. } = self.b;
        size == 4
            && grid.width.is_multiple_of(self.kernel.columns)
            && self.a.rows <= if slices { FEW_ROWS } else { self.kernel.direct }
    }

    /// The part of the product that a range of words gives, with `B` in panels, as many as there is room for.
    fn run_packed(&self, words: Range<usize>, packed: &mut Aligned, c: &mut [Word]) {
        let (wide, depth) = (self.kernel.columns, words.len());
        let panels = (packed.len / (wide * depth.max(1))).min(self.b.columns.div_ceil(wide));
        let grid = Grid { height: depth.max(1), width: wide, across: panels };
        let rows_at = self.b.rows_at(&words);
        let packed = &mut packed.words()[..panels * wide * depth];
        for first in (0..self.b.columns).step_by(panels * wide) {
            let columns = first..self.b.columns.min(first + panels * wide);
            for (i, rows_at) in rows_at.chunks(PACKED_ROWS * 4 / self.b.size).enumerate() {
                let words = (i * PACKED_ROWS).min(depth)..depth.min((i + 1) * PACKED_ROWS);
                for (i, panel) in packed.chunks_exact_mut(wide * depth).enumerate() {
                    let panel = &mut panel[words.start * wide..words.end * wide];
                    self.b.pack_columns(rows_at, first + i * wide, wide, panel);
                }
            }
            Slice::new(self, words.clone(), columns, (packed, &grid, 0)).run(c);
        }
    }
}

/// Words from the start of a cache line on, so that no vector lies in two.
struct Aligned {
    words: Vec<Word>,
    start: usize,
    len: usize,
}

impl Aligned {
    const LINE: usize = 64;

    fn new(len: usize) -> Self {
        let words = vec![Word::default(); len + Self::LINE / 4];
        // Where the address is not known, as in const evaluation, any start will do.
        let start = words.as_ptr().align_offset(Self::LINE).min(Self::LINE / 4);
        Self { words, start, len }
    }

    fn words(&mut self) -> &mut [Word] {
        &mut self.words[self.start..][..self.len]
    }
}
