//! Products of few rows whose sums are computed from left to right.

use super::super::grid::Word;
use super::super::row_run::RowRun;
use super::SkinnyProduct;
use super::plan::Plan;
use super::words::{Stage, WordBlock};
use core::ops::Range;

impl SkinnyProduct<'_> {
    /// Computes the sums of some columns of a product of few rows.
    pub(super) fn strip_of_few_rows(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        stage: &mut Stage<'_>,
        streams: bool,
    ) {
        let Self { product, plan: Plan { ref kernel, ref grid, is_staged, .. }, .. } = *self;
        let wide = columns.len().next_multiple_of(kernel.columns);
        // Prefetches are made for one block at a time.
        let piece = match (is_staged, streams) {
            (true, _) => grid.width,
            (_, true) => wide,
            _ => kernel.columns,
        };
        for (rows, a) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            let (adds, mask) = (rows.start > 0, product.mask(rows.end));
            for across in (0..wide).step_by(piece.max(1)) {
                let column = columns.start + across;
                if !streams && !is_staged {
                    let (at, above) = (column % grid.width, rows.start % grid.height);
                    let piece = match grid.across {
                        1 => grid.offset(rows.start, column),
                        _ => grid.offset(rows.start - above, column - at) + at * grid.height,
                    };
                    self.prefetch(&rows, piece + self.ahead());
                }
                let count = piece.min(wide - across);
                let part = self.words_of(&rows, column..column + count, stage);
                let WordBlock { words: b, ref grid, rows, columns } = part;
                let c = &mut sums[across..][..(kernel.rows - 1) * self.pitch + count];
                let (table, pitch) = (kernel.table, self.pitch);
                kernel.run_few_rows(&mut RowRun {
                    a,
                    b,
                    grid,
                    rows,
                    columns,
                    mask,
                    adds,
                    table,
                    c,
                    pitch,
                });
            }
        }
    }
}
