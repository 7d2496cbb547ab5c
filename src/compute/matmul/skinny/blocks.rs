//! Products of few rows by micro-kernels that compute some rows and columns at a time.

use super::super::grid::Word;
use super::super::lanes::{MicroBlock, Panel, Start};
use super::super::micro_kernel::Ready;
use super::super::panels::SHIFT;
use super::SkinnyProduct;
use super::plan::{MAX_CHUNK, Plan};
use super::words::{Stage, WordBlock};
use core::ops::Range;

/// A row of zeros of `A`, in up to two parts, after 128 is added to its elements.
static SHIFTS: [u32; 2 * MAX_CHUNK] = [SHIFT; 2 * MAX_CHUNK];

impl SkinnyProduct<'_> {
    /// Computes the sums of some columns, row after row, with a kernel of at most `ROWS` rows.
    pub(super) fn strip<const ROWS: usize>(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        stage: &mut Stage<'_>,
    ) {
        let ready = self.plan.kernel.ready();
        let wide = if self.plan.staging.is_some() { self.plan.grid.width } else { columns.len() };
        for (words, panels) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            for first in columns.clone().step_by(wide) {
                let part = self.words_of(&words, first..columns.end.min(first + wide), stage);
                let sums = &mut sums[first - columns.start..];
                self.part::<ROWS>(&ready, &words, &part, panels, sums);
            }
        }
    }

    /// The sums of the columns of a part.
    fn part<const ROWS: usize>(
        &self,
        ready: &Ready<'_>,
        words: &Range<usize>,
        part: &WordBlock<'_>,
        panels: &[u32],
        sums: &mut [Word],
    ) {
        let Self { product, plan: Plan { ref kernel, staging, .. }, pitch, .. } = *self;
        let WordBlock { words: b, ref grid, ref rows, ref columns } = *part;
        let each = kernel.panel_words(words.len());
        let (mask, ahead) = (product.mask(words.end), self.ahead());
        let (mut at, mut column) = (columns.start % grid.width, columns.start);
        let mut tile = grid.offset(rows.start, columns.start - at);
        // Words of the first tile above the chunk.
        let above = rows.start % grid.height * grid.width;
        while column < columns.end {
            let first = tile + at;
            let mut beside = &[][..];
            if staging.is_none() && kernel.tiles.is_some() {
                // The same part of the next tiles, in the order of their bytes, or of the first tiles of the chunk below.
                let is_last = column - at + grid.width >= columns.end;
                let next = match is_last {
                    true => grid.offset(rows.end, columns.start),
                    false => tile + grid.height * grid.width,
                };
                beside = b.get(next + at * grid.height..).unwrap_or(&[]);
            } else if staging.is_none() {
                let piece = if grid.across == 1 { first } else { tile - above + at * grid.height };
                self.prefetch(words, piece + ahead, kernel.columns);
            }
            let b = Panel::at(
                b,
                grid,
                (rows.start % grid.height, rows.len()),
                (first, kernel.columns),
                mask,
            );
            let start = if words.start == 0 { Start::Zero } else { Start::Sums };
            let across = column - columns.start;
            let mut rows_at: [usize; ROWS] = core::array::from_fn(|i| i * pitch + across);
            for panel in panels.chunks_exact(each) {
                let rows = &rows_at[..kernel.rows];
                let block = kernel.block(panel, b, start, sums, rows);
                ready.run(false, &mut MicroBlock { ahead: beside, ..block });
                beside = &[];
                rows_at.iter_mut().for_each(|at| *at += kernel.rows * pitch);
            }
            if self.shifts() {
                let (a, rows) =
                    (&SHIFTS[..words.len() * kernel.spread], &[self.rows * pitch + across][..]);
                kernel.run_row(&mut kernel.block(a, b, start, sums, rows));
            }
            (at, column) = (at + kernel.columns, column + kernel.columns);
            if at == grid.width {
                (at, tile) = (0, tile + grid.height * grid.width);
            }
        }
    }
}
