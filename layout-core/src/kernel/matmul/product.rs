//! The loops around a micro-kernel.
//!
//! `C` is computed in blocks of a few rows and columns. A block of `A` is copied to panels, which is where its rows
//! come together. `B` is read where it lies if its layout has rows of words, as TPU tiles do, and copied to panels if
//! there are many rows to multiply by it.

use super::choose::{Kernel, Prepare};
use super::grid::{Grid, Word};
use super::lanes::{Block, Panel, Start};
use super::panels::{MAX_COLUMNS, Matrix, SHIFT, mask};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Rows of a block at most.
const MAX_ROWS: usize = 8;
/// Words of a block of `A` in panels: half of a cache of the second level.
const BLOCK_WORDS: usize = 1 << 16;
/// Words of a block of `B` in panels.
const COLUMN_WORDS: usize = 1 << 20;

/// Products of words from which on threads share the work.
#[cfg(feature = "parallel")]
const PARALLEL: usize = 1 << 20;

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
        for start in (0..words.max(1)).step_by(depth) {
            let words = start..words.min(start + depth);
            if self.reads_tiles() {
                let Matrix { bytes, grid, .. } = self.b;
                let panel = Panel { words: bytes.as_chunks().0, grid, row: start, column: 0 };
                self.slice(words, 0..columns, panel, c);
            } else {
                self.pack_columns(words, c);
            }
        }
    }

    /// Whether `B` is read where it lies: it has rows of words in which no tile ends within a block, and there are too
    /// few rows of `A` for a copy to pay.
    fn reads_tiles(&self) -> bool {
        let Matrix { grid, size, .. } = self.b;
        size == 4
            && grid.width.is_multiple_of(self.kernel.columns)
            && self.a.rows <= self.kernel.direct
    }

    /// The product of a range of words, with `B` in panels.
    fn pack_columns(&self, words: Range<usize>, c: &mut [Word]) {
        let (wide, depth) = (self.kernel.columns, words.len());
        let panels = (COLUMN_WORDS / (wide * depth.max(1))).clamp(1, self.b.columns.div_ceil(wide));
        let mut packed = vec![Word::default(); panels * wide * depth];
        for first in (0..self.b.columns).step_by(panels * wide) {
            let columns = first..self.b.columns.min(first + panels * wide);
            if depth > 0 {
                for (i, panel) in packed.chunks_exact_mut(wide * depth).enumerate() {
                    self.b.pack_columns(first + i * wide, wide, words.clone(), panel);
                }
            }
            let grid = Grid { height: depth.max(1), width: wide, across: panels };
            let panel = Panel { words: &packed, grid, row: 0, column: 0 };
            self.slice(words.clone(), columns, panel, c);
        }
    }

    /// The product of a range of words and columns, of which `b` is the first panel.
    fn slice(&self, words: Range<usize>, columns: Range<usize>, b: Panel<'_>, c: &mut [Word]) {
        let bytes = (self.a.columns * self.a.size).min(words.end * 4);
        let mask = if words.is_empty() { u32::MAX } else { mask(4 - (words.end * 4 - bytes)) };
        let mut slice = Slice { product: self, words, columns, b, mask, starts: Vec::new() };
        if slice.words.start == 0 {
            slice.starts = slice.starts();
        } else if self.kernel.prepare == Prepare::Shift {
            slice.add(&slice.starts(), c);
        }
        slice.rows(0..self.a.rows, c);
    }
}

/// A part of a product: some columns of `C`, and some of the products that they sum up.
struct Slice<'a> {
    product: &'a Product<'a>,
    words: Range<usize>,
    columns: Range<usize>,
    /// The first panel of `B`; the others are beside it.
    b: Panel<'a>,
    /// The bits of the last word that are elements.
    mask: u32,
    /// What the sums of each column start from, if not from those in `C`.
    starts: Vec<Word>,
}

impl Slice<'_> {
    fn panel(&self, column: usize) -> Panel<'_> {
        Panel { column: self.b.column + column - self.columns.start, ..self.b }
    }

    /// Zero, but for kernels that add 128 to the elements of `A`: they start from what this adds, negative.
    fn starts(&self) -> Vec<Word> {
        let kernel = &self.product.kernel;
        let mut starts = vec![Word::default(); self.columns.len().next_multiple_of(kernel.columns)];
        if kernel.prepare == Prepare::Shift {
            let a = vec![SHIFT; self.words.len()];
            for (i, starts) in starts.chunks_exact_mut(kernel.columns).enumerate() {
                let mut sums = [Word::default(); MAX_COLUMNS];
                kernel.run_row(&mut Block {
                    a: &a,
                    b: self.panel(self.columns.start + i * kernel.columns),
                    depth: a.len(),
                    mask: self.mask,
                    start: Start::Columns(starts),
                    c: &mut sums,
                    rows: &[0],
                });
                for (start, sum) in starts.iter_mut().zip(sums) {
                    *start = i32::from_le_bytes(sum).wrapping_neg().to_le_bytes();
                }
            }
        }
        starts
    }

    /// Adds a number to all sums of each column.
    fn add(&self, starts: &[Word], c: &mut [Word]) {
        let Range { start: first, end } = self.columns;
        let rows = 0..self.product.a.rows;
        each_run(&self.product.c, &rows, first, end - first, |_, j, at, run| {
            for (sum, start) in c[at..][..run].iter_mut().zip(&starts[j..]) {
                let [a, b] = [*sum, *start].map(i32::from_le_bytes);
                *sum = a.wrapping_add(b).to_le_bytes();
            }
        });
    }

    /// Computes a range of rows; `c` begins with the first of them.
    fn rows(&self, rows: Range<usize>, c: &mut [Word]) {
        let (kernel, grid) = (&self.product.kernel, &self.product.c);
        let each = kernel.rows * kernel.prepare.parts() * self.words.len();
        let height = (BLOCK_WORDS / each.max(1)).max(1).min(rows.len().div_ceil(kernel.rows));
        let base = grid.offset(rows.start, 0);
        #[cfg(feature = "parallel")]
        if let Some(middle) = self.middle(&rows, height * kernel.rows) {
            let (low, high) = c.split_at_mut(grid.offset(middle, 0) - base);
            let (low_rows, high_rows) = (rows.start..middle, middle..rows.end);
            rayon::join(|| self.rows(low_rows, low), || self.rows(high_rows, high));
            return;
        }
        let mut panels = vec![0; height * each];
        for first in rows.clone().step_by(height * kernel.rows) {
            let last = rows.end.min(first + height * kernel.rows);
            let panel = |i: usize| i * each..(i + 1) * each;
            for (i, row) in (first..last).step_by(kernel.rows).enumerate() {
                let panel = &mut panels[panel(i)];
                self.product.a.pack_rows(kernel, row, self.words.clone(), panel);
            }
            for column in self.columns.clone().step_by(kernel.columns) {
                for (i, row) in (first..last).step_by(kernel.rows).enumerate() {
                    let rows = row..last.min(row + kernel.rows);
                    self.block(rows, column, &panels[panel(i)], c, base);
                }
            }
        }
    }

    /// Where to cut a range of rows for two threads, if it is longer than a block and there is enough to do. What is
    /// written on either side is contiguous.
    #[cfg(feature = "parallel")]
    fn middle(&self, rows: &Range<usize>, block: usize) -> Option<usize> {
        let step = self.product.c.cut() * self.product.kernel.rows;
        let middle = rows.start + (rows.len() / 2).next_multiple_of(step);
        let products = rows.len() * self.columns.len() * self.words.len();
        (rows.len() > block && middle < rows.end && products > PARALLEL).then_some(middle)
    }

    /// Computes one block, or what there is of it at the edges of `C`.
    fn block(&self, rows: Range<usize>, column: usize, a: &[u32], c: &mut [Word], base: usize) {
        let Product { kernel, c: grid, .. } = self.product;
        let wide = kernel.columns;
        let columns = wide.min(self.columns.end - column);
        let start = if self.starts.is_empty() {
            Start::Sums
        } else {
            Start::Columns(&self.starts[column - self.columns.start..][..wide])
        };
        let (b, depth, mask) = (self.panel(column), self.words.len(), self.mask);
        let whole = rows.len() == kernel.rows && grid.run(column, wide) == wide && columns == wide;
        let mut at = [0; MAX_ROWS];
        let at = &mut at[..kernel.rows];
        if whole {
            for (at, row) in at.iter_mut().zip(rows) {
                *at = grid.offset(row, column) - base;
            }
            kernel.run(&mut Block { a, b, depth, mask, start, c, rows: at });
            return;
        }
        let mut edge = [Word::default(); MAX_ROWS * MAX_COLUMNS];
        if matches!(start, Start::Sums) {
            each_run(grid, &rows, column, columns, |i, j, at, run| {
                edge[i * wide + j..][..run].copy_from_slice(&c[at - base..][..run]);
            });
        }
        for (i, at) in at.iter_mut().enumerate() {
            *at = i * wide;
        }
        kernel.run(&mut Block { a, b, depth, mask, start, c: &mut edge, rows: at });
        each_run(grid, &rows, column, columns, |i, j, at, run| {
            c[at - base..][..run].copy_from_slice(&edge[i * wide + j..][..run]);
        });
    }
}

/// The pieces of a block that are contiguous in `C`: row and column in the block, offset, length.
fn each_run(
    grid: &Grid,
    rows: &Range<usize>,
    column: usize,
    columns: usize,
    mut with: impl FnMut(usize, usize, usize, usize),
) {
    for (i, row) in rows.clone().enumerate() {
        let mut j = 0;
        while j < columns {
            let run = grid.run(column + j, columns - j);
            with(i, j, grid.offset(row, column + j), run);
            j += run;
        }
    }
}
