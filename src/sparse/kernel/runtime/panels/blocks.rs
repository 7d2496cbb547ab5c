//! Products of a matrix of blocks and a dense matrix.
//!
//! As many panels as fit in half of the L2 cache are filled at once. Each group of rows of the sparse matrix is then multiplied by all of
//! them, so that its values are read from memory once.
//!
//! With 32 columns of `f32` and blocks of 16 x 16, the first row of blocks may have blocks in columns 2 and 5. Its first group, of 8
//! rows, adds 16 rows of the panel from row 32 on, and 16 from row 80 on, to 8 rows of 32 sums.
#![allow(unsafe_code, reason = "panels are written row by row")]

use super::kept::Panels;
use super::{Row, Write, add, for_rows, same_type};
use crate::cpu::{Work, prefetch_element, second_level};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use crate::sparse::kernel::runtime::{LevelRef, Number, WidenTo, filled};
use alloc::vec::Vec;
use core::ops::Range;

/// The largest number of rows of blocks whose values are read where they are, if they have the type of the sums. Those of four rows of
/// 16 x 16 `f32` take 256 bytes of each kilobyte, which CPUs do not prefetch well.
const IN_PLACE: usize = 8;

/// The number of blocks after which the values that are copied are prefetched.
const AHEAD: usize = 4;

/// The factors of a product.
pub(super) struct Blocks<'a, E: Encoding, A, B, const ROWS: usize, const COLUMNS: usize> {
    /// The compressed level of the sparse matrix, the rows of blocks that are multiplied, and all values.
    pub(super) level: LevelRef<'a, E, 1>,
    pub(super) rows: Range<usize>,
    pub(super) a: &'a [A],
    /// The columns of the dense matrix, and its elements.
    pub(super) columns: usize,
    pub(super) b: &'a [B],
}

/// How a group of rows is multiplied by a panel.
pub(super) trait Method<A, B, T, const ROWS: usize, const COLUMNS: usize>: Copy {
    /// A row of a panel, with the elements of one or more rows of the dense matrix.
    type Row: Copy;
    /// A value of the sparse matrix in the form in which it is multiplied.
    type Value: Copy;
    /// The number of rows of the dense matrix in a row of a panel. It divides the columns of a block.
    const DEPTH: usize;
    /// The number of columns of a panel.
    const LANES: usize;
    /// The number of rows of a block that are multiplied together. It divides the rows of a block.
    const GROUP: usize;

    /// A row with elements of the dense matrix, whose rows are `columns` apart and of which the first of the row is the first in
    /// `from`.
    fn row(from: &[B], columns: usize) -> Self::Row;

    /// The values, if they are read where they are. Otherwise those of each group are copied once for all panels.
    fn in_place(values: &[A]) -> Option<&[Self::Value]>;

    /// A value that is copied.
    fn value(of: A) -> Self::Value;

    /// Writes the sums of a group to rows of `columns` elements, of which the first to write is the first in `c`.
    fn multiply(
        self,
        group: &Group<'_, Self::Value>,
        panel: &[Self::Row],
        c: &mut [T],
        columns: usize,
    );
}

/// Some rows of a row of blocks.
pub(super) struct Group<'a, V> {
    /// For each block, the first row of panels by which it is multiplied.
    pub(super) starts: &'a [usize],
    /// The values from the first row of the group in the first block on.
    pub(super) values: &'a [V],
    /// The number of values from one block to the next: those of a block, or of a copy of some of its rows.
    pub(super) pitch: usize,
}

impl<E: Encoding, A: Copy, B: Copy, const ROWS: usize, const COLUMNS: usize>
    Blocks<'_, E, A, B, ROWS, COLUMNS>
{
    /// Writes the product to `c`. There must be as many columns as a panel has.
    ///
    /// # Errors
    /// If there is no memory for panels.
    #[inline(always)]
    fn write<T, M>(&self, method: M, c: &mut [T]) -> Result<(), KernelError>
    where
        M: Method<A, B, T, ROWS, COLUMNS>,
    {
        let (columns, inner) = (self.columns, self.b.len() / self.columns);
        let height = inner / M::DEPTH;
        assert!(columns >= M::LANES && self.b.len() == height * M::DEPTH * columns, "a matrix");
        let fitting = second_level() / 2 / (height * size_of::<M::Row>()).max(1);
        let count = fitting.clamp(1, columns.div_ceil(M::LANES));
        let mut panels = Panels::new(height * count)?;
        let mut starts = filled(inner / COLUMNS, 0)?;
        let in_place = M::in_place(self.a);
        let mut copied = match (in_place, self.a.first()) {
            (None, Some(value)) => filled(inner * M::GROUP, M::value(*value))?,
            _ => Vec::new(),
        };
        for first in (0..columns).step_by(count * M::LANES) {
            let count = count.min((columns - first).div_ceil(M::LANES));
            // The last panel has the last columns, of which the panel before it may have some too.
            let column = |panel: usize| (first + panel * M::LANES).min(columns - M::LANES);
            // Row by row: the next elements of a row are those that the CPU prefetches.
            for (row, b) in self.b.chunks_exact(M::DEPTH * columns).enumerate() {
                for panel in 0..count {
                    let row = &mut panels.rows()[panel * height + row];
                    row.write(M::row(&b[column(panel)..], columns));
                }
            }
            // SAFETY: all of these rows have been written: there are `height` rows of each panel.
            let panels = unsafe { panels.rows()[..count * height].assume_init_ref() };
            for (number, block) in self.rows.clone().enumerate() {
                let positions = self.level.below(block);
                let starts = self.starts(&positions, M::DEPTH, &mut starts);
                for row in (0..ROWS).step_by(M::GROUP) {
                    let first = (positions.start * ROWS + row) * COLUMNS;
                    let (values, rows) = match in_place {
                        Some(values) => (values.get(first..).unwrap_or_default(), ROWS),
                        None => (self.copy::<T, M>(first, positions.len(), &mut copied), M::GROUP),
                    };
                    let group = Group { starts, values, pitch: rows * COLUMNS };
                    for panel in 0..count {
                        let c = &mut c[(number * ROWS + row) * columns + column(panel)..];
                        method.multiply(&group, &panels[panel * height..][..height], c, columns);
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies the values of a group of rows in some blocks, of which the first value is number `first`.
    #[inline(always)]
    fn copy<'v, T, M>(
        &self,
        first: usize,
        blocks: usize,
        copied: &'v mut [M::Value],
    ) -> &'v [M::Value]
    where
        M: Method<A, B, T, ROWS, COLUMNS>,
    {
        let len = M::GROUP * COLUMNS;
        for block in 0..blocks {
            let at = first + block * ROWS * COLUMNS;
            for line in (0..len).step_by(const { 64usize.div_ceil(size_of::<A>()) }) {
                prefetch_element(self.a, at + AHEAD * ROWS * COLUMNS + line);
            }
            let (from, to) = (&self.a[at..][..len], &mut copied[block * len..][..len]);
            // Not a closure, which would be compiled without the instructions of the method.
            for at in 0..len {
                to[at] = M::value(from[at]);
            }
        }
        &copied[..blocks * len]
    }

    /// The first rows of panels of the blocks at some positions.
    #[inline(always)]
    fn starts<'s>(
        &self,
        positions: &Range<usize>,
        depth: usize,
        starts: &'s mut [usize],
    ) -> &'s [usize] {
        let starts = &mut starts[..positions.len()];
        for (start, position) in starts.iter_mut().zip(positions.clone()) {
            *start = self.level.coordinate(position) * (COLUMNS / depth);
        }
        starts
    }
}

impl<E: Encoding, A: Copy, B: Copy, T, M, const ROWS: usize, const COLUMNS: usize> Work
    for Write<'_, Blocks<'_, E, A, B, ROWS, COLUMNS>, M, T>
where
    M: Method<A, B, T, ROWS, COLUMNS>,
{
    type Output = Result<(), KernelError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.product.write(self.method, self.c)
    }
}

/// `GROUP` rows of `LANES` sums in vectors.
#[derive(Clone, Copy)]
pub(super) struct Vectors<const GROUP: usize, const LANES: usize>;

impl<
    A: Copy + WidenTo<T> + 'static,
    B: Copy + WidenTo<T>,
    T: Number + 'static,
    const ROWS: usize,
    const COLUMNS: usize,
    const GROUP: usize,
    const LANES: usize,
> Method<A, B, T, ROWS, COLUMNS> for Vectors<GROUP, LANES>
{
    type Row = Row<T, LANES>;
    type Value = T;
    const DEPTH: usize = 1;
    const LANES: usize = LANES;
    const GROUP: usize = GROUP;

    #[inline(always)]
    fn row(from: &[B], _: usize) -> Self::Row {
        const { assert!(size_of::<Self::Row>() == LANES * size_of::<T>(), "there is padding") }
        let (from, mut row) = (&from[..LANES], [T::ZERO; LANES]);
        for lane in 0..LANES {
            row[lane] = from[lane].widen_to();
        }
        Row(row)
    }

    #[inline(always)]
    fn in_place(values: &[A]) -> Option<&[T]> {
        if const { ROWS <= IN_PLACE } { same_type(values) } else { None }
    }

    #[inline(always)]
    fn value(of: A) -> T {
        of.widen_to()
    }

    #[inline(always)]
    fn multiply(self, group: &Group<'_, T>, panel: &[Self::Row], c: &mut [T], columns: usize) {
        let mut sums = [[T::ZERO; LANES]; GROUP];
        for (block, start) in group.starts.iter().enumerate() {
            let panel = &panel[*start..][..COLUMNS];
            let first = block * group.pitch;
            let mut values = [&group.values[..0]; GROUP];
            for row in 0..GROUP {
                values[row] = &group.values[first + row * COLUMNS..][..COLUMNS];
            }
            if const { ROWS <= IN_PLACE } {
                // The same rows of the next block.
                for at in (0..GROUP * COLUMNS).step_by(const { 64usize.div_ceil(size_of::<T>()) }) {
                    prefetch_element(group.values, first + group.pitch + at);
                }
            }
            for j in 0..COLUMNS {
                let Row(lanes) = panel[j];
                for_rows!(GROUP, |row| add(&mut sums[row], values[row][j], lanes));
            }
        }
        for row in 0..GROUP {
            c[row * columns..][..LANES].copy_from_slice(&sums[row]);
        }
    }
}
