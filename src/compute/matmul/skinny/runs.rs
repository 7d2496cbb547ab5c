//! Products of few rows whose sums are computed from left to right.

use super::super::grid::Word;
use super::super::row_run::RowRun;
use super::SkinnyProduct;
use super::plan::Plan;
use super::words::{Stage, WordBlock};
use core::ops::Range;

/// The number of columns that are computed for all groups of rows, one after the other.
const PIECE: usize = 128;

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
        let Self { product, plan: Plan { ref kernel, ref grid, staging, .. }, .. } = *self;
        let wide = columns.len().next_multiple_of(kernel.columns);
        // Prefetches are made for one block at a time, or for a piece that stays in the L1 cache for all groups of rows.
        let piece = match (staging, streams) {
            (Some(_), _) => grid.width,
            (_, true) => wide,
            _ if self.rows == kernel.rows => kernel.columns,
            _ => grid.width.min(PIECE.next_multiple_of(kernel.columns)),
        };
        let each = |rows: &Range<usize>| kernel.panel_words(rows.len()).max(1);
        for (rows, a) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            let (adds, mask) = (rows.start > 0, product.mask(rows.end));
            for across in (0..wide).step_by(piece.max(1)) {
                let column = columns.start + across;
                let count = piece.min(wide - across);
                if !streams && staging.is_none() {
                    let (at, above) = (column % grid.width, rows.start % grid.height);
                    let piece = match grid.across {
                        1 => grid.offset(rows.start, column),
                        _ => grid.offset(rows.start - above, column - at) + at * grid.height,
                    };
                    self.prefetch(&rows, piece + self.ahead(), count);
                }
                let part = self.words_of(&rows, column..column + count, stage);
                let WordBlock { words: b, ref grid, rows, columns } = part;
                let (table, pitch) = (kernel.table, self.pitch);
                for (group, a) in a.chunks_exact(each(&rows)).enumerate() {
                    let c = &mut sums[group * kernel.rows * pitch + across..];
                    kernel.run_few_rows(&mut RowRun {
                        a,
                        b,
                        grid,
                        rows: rows.clone(),
                        columns: columns.clone(),
                        mask,
                        adds,
                        table,
                        c: &mut c[..(kernel.rows - 1) * pitch + count],
                        pitch,
                    });
                }
            }
        }
    }
}
