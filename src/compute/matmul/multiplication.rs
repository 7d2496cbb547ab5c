//! The outer loops of a product, and the choice of where `B` is read.
//!
//! `B` is read in place if its layout has rows of words, as TPU tiles do, and `A` is [skinny](super::skinny); otherwise it is
//! copied to panels.

use super::grid::{Grid, Word};
use super::in_place::InPlace;
use super::micro_kernel::MicroKernel;
use super::output::Finish;
use super::panels::{Ahead, Matrix};
use super::scratch::{NoMemory, Scratch};
use super::skinny::SkinnyProduct;
use super::slice::{Right, Slice};
use core::ops::Range;

/// The number of words of `B` that are in panels at a time.
const COLUMN_WORDS: usize = 1 << 20;

/// The number of rows of words that are copied to all panels before the next: at least those of two TPU tiles.
const PACKED_ROWS: usize = 16;

/// The number of panels between the one that is copied and the one whose words of `B` are prefetched: 128 columns if a panel
/// has 16, which is in the next TPU tile.
const PANELS_AHEAD: usize = 8;

/// The number of words from which threads share the panels.
#[cfg(feature = "parallel")]
const PARALLEL: usize = 1 << 16;

/// The smallest number of contiguous factors of `A` for which it is read in place.
const CONTIGUOUS: usize = 32;

/// A product of matrices.
#[derive(Clone, Copy)]
pub(super) struct Multiplication<'a> {
    pub(super) kernel: MicroKernel,
    /// The kernel that reads `A` in place, if it does.
    pub(super) in_place: Option<InPlace>,
    pub(super) a: Matrix<'a>,
    /// A matrix of words, or of narrower elements.
    pub(super) b: Matrix<'a>,
    /// The grid of the sums; row-major if they still have to be finished.
    pub(super) c: Grid,
    /// Whether the product is added to the values of `c`.
    pub(super) adds: bool,
    /// Finishes the sums while they are in a cache.
    pub(super) finish: Option<&'a dyn Finish>,
}

impl<'a> Multiplication<'a> {
    /// A product with a kernel for these operands. `A` is copied to panels unless [`Multiplication::run`] finds that it is
    /// faster in place.
    pub(super) fn new(
        kernel: MicroKernel,
        [a, b]: [Matrix<'a>; 2],
        c: Grid,
        adds: bool,
        finish: Option<&'a dyn Finish>,
    ) -> Self {
        Self { kernel, in_place: None, a, b, c, adds, finish }
    }

    /// Writes the product to `c`, whose contents can be anything.
    ///
    /// # Errors
    /// If memory for the panels cannot be allocated. A part of `c` may then have been written.
    pub(super) fn run(&self, c: &mut [Word]) -> Result<(), NoMemory> {
        let (rows, columns) = (self.a.rows, self.b.columns);
        if rows == 0 || columns == 0 {
            return Ok(());
        }
        if let Some(skinny) = SkinnyProduct::of(self) {
            return skinny.run(c);
        }
        self.in_place().unwrap_or(*self).run_slices(c)
    }

    /// The product with `A` in place, if it has elements that the kernel can read there, and blocks of the kernel fit the columns.
    /// Several threads share the L3 cache, from which rows that are not adjacent are read too slowly: on four threads of a Zen 5, a
    /// product of `f32` of size 1024 takes 0.8 of the time with panels.
    fn in_place(&self) -> Option<Self> {
        let in_place = self.kernel.in_place?;
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return None;
        }
        let InPlace { rows, columns, .. } = in_place;
        let [wide, narrow] =
            [columns, self.kernel.columns].map(|columns| self.b.columns.next_multiple_of(columns));
        let has_factors = self.a.is_plain() && self.a.size >= 4;
        let has_rows = self.a.grid.across == 1 || self.a.grid.width >= CONTIGUOUS;
        let has_blocks = self.c.across == 1 || self.c.width.is_multiple_of(columns);
        // At most a sixteenth more columns are computed than with narrow blocks.
        let fits = has_factors && has_rows && has_blocks && wide - narrow <= narrow / 16;
        let kernel = MicroKernel { rows, columns, ..self.kernel };
        fits.then_some(Self { kernel, in_place: Some(in_place), ..*self })
    }

    /// Writes the product to `c`, a slice of the inner dimension after the other, with `B` in panels.
    fn run_slices(&self, c: &mut [Word]) -> Result<(), NoMemory> {
        let columns = self.b.columns;
        let words = self.depth();
        let (wide, parts) = (self.kernel.columns, self.kernel.packed_parts());
        // Slices of equal depth except the last, in pairs of words, so that each starts with whole squares of elements.
        let most = self.kernel.depth / parts;
        let depth = words.div_ceil(words.div_ceil(most).max(1)).next_multiple_of(2).max(1);
        let depth = self.kernel.whole_steps(depth);
        let panels = (COLUMN_WORDS / (wide * depth * parts)).clamp(1, columns.div_ceil(wide));
        let mut packed = Scratch::new(panels * wide * depth * parts)?;
        for start in (0..words.max(1)).step_by(depth) {
            self.run_packed(start..words.min(start + depth), packed.words(), c)?;
        }
        Ok(())
    }

    /// The number of rows of words.
    pub(super) fn depth(&self) -> usize {
        self.a.columns.div_ceil(self.kernel.stacked)
    }

    /// Computes the part of the product for a range of words, with `B` in panels, as many as there is room for.
    fn run_packed(
        &self,
        words: Range<usize>,
        packed: &mut [Word],
        c: &mut [Word],
    ) -> Result<(), NoMemory> {
        let (wide, depth, parts) = (self.kernel.columns, words.len(), self.kernel.packed_parts());
        let each = wide * depth * parts;
        let panels = (packed.len() / each.max(1)).min(self.b.columns.div_ceil(wide));
        let grid = Grid { height: (depth * parts).max(1), width: wide, across: panels };
        let rows_at = self.b.rows_at(&words)?;
        let packed = &mut packed[..panels * each];
        for first in (0..self.b.columns).step_by(panels * wide) {
            let columns = first..self.b.columns.min(first + panels * wide);
            if let Some(in_place) = self.packs_while_computing().filter(|_| depth > 0) {
                let to = (&mut *packed, &grid);
                Slice::run_packing((self, in_place), words.clone(), columns, to, c)?;
                continue;
            }
            self.pack_all(&rows_at, &columns, packed);
            let right = Right { words: packed, grid: &grid, split: parts > 1 };
            Slice::new(self, words.clone(), columns, right).run(c)?;
        }
        Ok(())
    }

    /// The kernel that copies `B` to panels while the first rows are computed, if it reads `A` in place and can so read `B`.
    fn packs_while_computing(&self) -> Option<&InPlace> {
        self.in_place.as_ref().filter(|_| self.b.size == 4 && self.b.is_plain())
    }

    /// Copies some columns to panels; threads share them.
    fn pack_all(&self, rows_at: &[usize], columns: &Range<usize>, packed: &mut [Word]) {
        let (wide, parts) = (self.kernel.columns, self.kernel.packed_parts());
        let depth = rows_at.len().div_ceil(4 / self.b.size);
        let each = wide * depth * parts;
        if each == 0 {
            return;
        }
        let packed = &mut packed[..columns.len().div_ceil(wide) * each];
        #[cfg(feature = "parallel")]
        {
            let threads = rayon::current_num_threads();
            if threads > 1 && packed.len() > PARALLEL {
                use rayon::prelude::*;
                let share = columns.len().div_ceil(wide).div_ceil(threads);
                let shares = packed.par_chunks_mut(share * each).enumerate();
                return shares.for_each(|(i, packed)| {
                    let first = columns.start + i * share * wide;
                    self.pack_panels(rows_at, first..columns.end.min(first + share * wide), packed);
                });
            }
        }
        self.pack_panels(rows_at, columns.clone(), packed);
    }

    /// Copies some columns to panels: a few rows of words to all panels, then the next rows.
    fn pack_panels(&self, rows_at: &[usize], columns: Range<usize>, packed: &mut [Word]) {
        let (wide, parts) = (self.kernel.columns, self.kernel.packed_parts());
        let depth = rows_at.len().div_ceil(4 / self.b.size);
        let (first, each) = (columns.start, wide * depth * parts);
        let mut chunks = rows_at.chunks(PACKED_ROWS * 4 / self.b.size).enumerate().peekable();
        let count = columns.len().div_ceil(wide);
        while let Some((i, rows_at)) = chunks.next() {
            let rows = (i * PACKED_ROWS).min(depth)..depth.min((i + 1) * PACKED_ROWS);
            let below = chunks.peek().map(|(_, rows_at)| *rows_at);
            for (i, panel) in packed.chunks_exact_mut(each).enumerate() {
                // After the last panel, the next rows of the first panel follow.
                let later = i + PANELS_AHEAD;
                let (rows_ahead, later) = match later.checked_sub(count) {
                    None => (Some(rows_at), later),
                    Some(later) => (below.filter(|_| later < count), later),
                };
                let column = first + later * wide;
                let ahead = rows_ahead.map(|rows_at| Ahead { rows_at, column });
                let (panel, second) = panel.split_at_mut(wide * depth);
                let panel = &mut panel[rows.start * wide..rows.end * wide];
                self.b.pack_columns(rows_at, first + i * wide, wide, panel, ahead);
                if parts > 1 {
                    self.split(panel, &mut second[rows.start * wide..]);
                }
            }
        }
    }

    /// The bits of the last row of words that belong to elements.
    pub(super) fn mask(&self, words: usize) -> u32 {
        let missing = (words * self.kernel.stacked).saturating_sub(self.a.columns);
        u32::MAX >> (32 / self.kernel.stacked * missing)
    }

    /// Splits the words of `B` as those of `A` are split.
    fn split(&self, words: &mut [Word], second: &mut [Word]) {
        for (first, second) in words.iter_mut().zip(second) {
            let parts = self.kernel.prepare.split(u32::from_le_bytes(*first));
            [*first, *second] = parts.map(u32::to_le_bytes);
        }
    }
}
