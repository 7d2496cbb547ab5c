//! Products of one row with words that are assembled [in registers](zipped_run).

use super::super::grid::Word;
use super::super::zipped_run::{self, ZippedRun, order_columns};
use super::SkinnyProduct;
use super::plan::Plan;
use core::ops::Range;

impl SkinnyProduct<'_> {
    /// Computes the sums of some columns of a product of one row, with words that are put together in registers.
    pub(super) fn strip_of_one_zipped_row(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        rows_at: &[usize],
    ) {
        let Self { product, plan: Plan { ref kernel, .. }, .. } = *self;
        let across = product.b.column_at(columns.start);
        let c = &mut sums[..columns.len().next_multiple_of(kernel.columns)];
        for (rows, a) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            let starts = |rows: Range<usize>| {
                let mut starts = [0; zipped_run::MAX_ROWS];
                let rows_at = self.rows_of_words(rows_at, rows);
                for (start, row) in starts.iter_mut().zip(rows_at) {
                    *start = product.b.byte_at(row + across);
                }
                (starts, rows_at.len())
            };
            let ((here, count), (below, next)) =
                (starts(rows.clone()), starts(rows.end..rows.end + rows.len()));
            let (columns, adds, table) = (columns.len(), rows.start > 0, kernel.table);
            kernel.run_zipped_row(&mut ZippedRun {
                a,
                b: product.b.bytes,
                rows_at: &here[..count],
                next: &below[..next],
                most: zipped_run::rows(kernel.elements[1]),
                columns,
                adds,
                table,
                c: &mut *c,
            });
        }
        order_columns(c, kernel.columns, kernel.stacked);
    }
}
