//! Products of a matrix that stores some columns of each group of a few.
//!
//! The columns are multiplied in chunks of at most 32 groups, so that the rows of a panel for a chunk stay in the L1 cache. The
//! values and the coordinates of a chunk are copied to *strips* of some rows, which are read in order, once for each panel.

use super::{Row, Write, for_rows};
use crate::cpu::{Work, prefetch_element};
use crate::sparse::kernel::KernelError;
use crate::sparse::kernel::runtime::{LevelRef, Number, WidenTo, filled};
use crate::sparse::{Encoding, SparseElement};
use core::ops::Range;

/// The number of groups of columns in a chunk: with two of four columns and sums of `f32`, a panel has 32 KiB of rows for it.
pub(super) const GROUPS: usize = 32;
/// The number of strips that are copied at once.
const STRIPS: usize = 32;
/// The number of panels that are filled at once: their rows for a chunk stay in the L2 cache.
const PANELS: usize = 8;

/// The values and the coordinates of `GROUP` rows in a chunk, in the order in which they are multiplied.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Strip<V, const STORED: usize, const GROUP: usize> {
    pub(super) values: [[[V; STORED]; GROUP]; GROUPS],
    pub(super) coordinates: [[[u8; STORED]; GROUP]; GROUPS],
}

/// How a chunk is multiplied.
pub(super) trait Method<
    A,
    B,
    T,
    const STORED: usize,
    const OF: usize,
    const GROUP: usize,
    const LANES: usize,
>: Copy
{
    /// A value of a strip.
    type Value: Copy;
    /// The rows of a panel for the columns of a group.
    type Rows: Copy;
    /// A value of a row that does not exist.
    const NO_VALUE: Self::Value;
    /// Rows of zeros.
    const NO_ROWS: Self::Rows;
    /// The number of groups of a chunk, at most [`GROUPS`].
    const CHUNK: usize = GROUPS;

    /// The values of a row in the form in which a strip stores them.
    fn values(values: [A; STORED]) -> [Self::Value; STORED];

    /// The form in which a strip stores the coordinates of a row.
    #[inline(always)]
    fn stored(coordinates: [u8; STORED]) -> [u8; STORED] {
        coordinates
    }

    /// Copies the elements of some columns, at most `LANES`, from the rows of the dense matrix. Lanes without an element become
    /// zero.
    fn fill(rows: &mut Self::Rows, from: [&[B]; OF]);

    /// Adds the products of the values of a strip and the rows of a panel, for all groups of the panel. If `first`, the sums so far
    /// are zero.
    fn multiply(
        self,
        strip: &Strip<Self::Value, STORED, GROUP>,
        panel: &[Self::Rows],
        sums: Sums<'_, T>,
        first: bool,
    );
}

/// The sums of some rows, of which the first `LANES` of each are computed.
pub(super) struct Sums<'a, T> {
    /// The elements from one row to the next.
    pub(super) pitch: usize,
    pub(super) elements: &'a mut [T],
}

/// `GROUP` rows of `LANES` sums in vectors.
#[derive(Clone, Copy)]
pub(super) struct Vectors<const GROUP: usize, const LANES: usize>;

impl<
    A: Copy + WidenTo<T>,
    B: Copy + WidenTo<T>,
    T: Number,
    const STORED: usize,
    const OF: usize,
    const GROUP: usize,
    const LANES: usize,
> Method<A, B, T, STORED, OF, GROUP, LANES> for Vectors<GROUP, LANES>
{
    type Value = T;
    type Rows = [Row<T, LANES>; OF];
    const NO_VALUE: T = T::ZERO;
    const NO_ROWS: Self::Rows = [Row([T::ZERO; LANES]); OF];

    #[inline(always)]
    fn values(values: [A; STORED]) -> [T; STORED] {
        let mut wide = [T::ZERO; STORED];
        for entry in 0..STORED {
            wide[entry] = values[entry].widen_to();
        }
        wide
    }

    #[inline(always)]
    fn fill(rows: &mut Self::Rows, from: [&[B]; OF]) {
        for (Row(row), from) in rows.iter_mut().zip(from) {
            match from.first_chunk::<LANES>() {
                Some(from) => {
                    for lane in 0..LANES {
                        row[lane] = from[lane].widen_to();
                    }
                }
                None => {
                    *row = [T::ZERO; LANES];
                    row.iter_mut().zip(from).for_each(|(to, from)| *to = from.widen_to());
                }
            }
        }
    }

    #[inline(always)]
    fn multiply(
        self,
        strip: &Strip<T, STORED, GROUP>,
        panel: &[Self::Rows],
        sums: Sums<'_, T>,
        first: bool,
    ) {
        let Sums { pitch, elements } = sums;
        let mut all = [[T::ZERO; LANES]; GROUP];
        if !first {
            for_rows!(GROUP, |row| if let Some(sums) = elements[row * pitch..].first_chunk() {
                all[row] = *sums;
            });
        }
        let stored = strip.values.iter().zip(&strip.coordinates);
        for (rows, (values, coordinates)) in panel.iter().zip(stored) {
            let coordinates = GroupCoordinates::of(coordinates);
            for_rows!(GROUP, |row| {
                for entry in 0..STORED {
                    let Row(lanes) = rows[coordinates.get::<OF>(row, entry)];
                    super::add(&mut all[row], values[row][entry], lanes);
                }
            });
        }
        for_rows!(GROUP, |row| if let Some(sums) = elements[row * pitch..].first_chunk_mut() {
            *sums = all[row];
        });
    }
}

/// The coordinates of a group of columns. Loading them one by one would take as many loads as the rows of a panel do.
pub(super) enum GroupCoordinates<'a, const STORED: usize, const GROUP: usize> {
    Word(u64),
    Bytes(&'a [[u8; STORED]; GROUP]),
}

impl<'a, const STORED: usize, const GROUP: usize> GroupCoordinates<'a, STORED, GROUP> {
    #[inline(always)]
    pub(super) fn of(coordinates: &'a [[u8; STORED]; GROUP]) -> Self {
        if const { STORED * GROUP > 8 } {
            return Self::Bytes(coordinates);
        }
        let mut bytes = [0; 8];
        bytes[..STORED * GROUP].copy_from_slice(coordinates.as_flattened());
        Self::Word(u64::from_le_bytes(bytes))
    }

    /// A coordinate, which is below `OF`.
    #[inline(always)]
    pub(super) fn get<const OF: usize>(&self, row: usize, entry: usize) -> usize {
        let coordinate = match self {
            Self::Word(word) => usize::from((word >> (8 * (row * STORED + entry))) as u8),
            Self::Bytes(bytes) => usize::from(bytes[row][entry]),
        };
        // Tells rustc that the position is in bounds.
        match const { OF.is_power_of_two() } {
            true => coordinate % OF,
            false => coordinate.min(OF - 1),
        }
    }
}

/// The factors of a product, of which the sparse one stores `STORED` of each `OF` columns.
pub(super) struct Structured<'a, E: Encoding, A, B, const STORED: usize, const OF: usize> {
    /// The last level of the sparse matrix, the rows that are multiplied, and all values.
    pub(super) level: LevelRef<'a, E, 2>,
    pub(super) rows: Range<usize>,
    pub(super) a: &'a [A],
    /// The columns of the dense matrix, and its elements.
    pub(super) columns: usize,
    pub(super) b: &'a [B],
}

impl<
    E: Encoding,
    A: Copy,
    B: Copy,
    T: SparseElement,
    const STORED: usize,
    const OF: usize,
    const GROUP: usize,
    const LANES: usize,
> Work for Write<'_, Structured<'_, E, A, B, STORED, OF>, Vectors<GROUP, LANES>, T>
where
    Vectors<GROUP, LANES>: Method<A, B, T, STORED, OF, GROUP, LANES>,
{
    type Output = Result<(), KernelError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.product.write(self.method, self.c)
    }
}

/// A chunk: some of the groups of columns.
#[derive(Clone, Copy)]
struct Chunk {
    first: usize,
    count: usize,
    /// The number of groups in all columns.
    all: usize,
}

impl<E: Encoding, A: Copy, B: Copy, const STORED: usize, const OF: usize>
    Structured<'_, E, A, B, STORED, OF>
{
    /// Writes the product to `c`.
    ///
    /// # Errors
    /// If there is no memory for panels.
    #[inline(always)]
    pub(super) fn write<T: SparseElement, M, const GROUP: usize, const LANES: usize>(
        &self,
        method: M,
        c: &mut [T],
    ) -> Result<(), KernelError>
    where
        M: Method<A, B, T, STORED, OF, GROUP, LANES>,
    {
        let all = self.b.len() / self.columns / OF;
        let most = self.columns.div_ceil(LANES).min(PANELS);
        let mut panels = filled(most, [M::NO_ROWS; GROUPS])?;
        let values = [[[M::NO_VALUE; STORED]; GROUP]; GROUPS];
        let coordinates = [[[0; STORED]; GROUP]; GROUPS];
        let mut strips = filled(STRIPS, Strip { values, coordinates })?;
        for column in (0..self.columns).step_by(PANELS * LANES) {
            let panels = &mut panels[..(self.columns - column).div_ceil(LANES).min(PANELS)];
            for first in (0..all).step_by(M::CHUNK) {
                let chunk = Chunk { first, count: M::CHUNK.min(all - first), all };
                for (number, panel) in panels.iter_mut().enumerate() {
                    self.fill::<T, M, GROUP, LANES>(chunk, column + number * LANES, panel);
                }
                for row in (0..self.rows.len()).step_by(STRIPS * GROUP) {
                    let strips = &mut strips[..(self.rows.len() - row).div_ceil(GROUP).min(STRIPS)];
                    for (number, strip) in strips.iter_mut().enumerate() {
                        self.copy_strip::<T, M, GROUP, LANES>(chunk, row + number * GROUP, strip);
                    }
                    for (number, panel) in panels.iter().enumerate() {
                        let at = (row, column + number * LANES);
                        self.multiply(method, chunk, at, strips, &panel[..chunk.count], c);
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies the columns of a panel, starting at `column`.
    #[inline(always)]
    fn fill<T, M, const GROUP: usize, const LANES: usize>(
        &self,
        chunk: Chunk,
        column: usize,
        panel: &mut [M::Rows; GROUPS],
    ) where
        M: Method<A, B, T, STORED, OF, GROUP, LANES>,
    {
        let width = LANES.min(self.columns - column);
        for (number, rows) in panel[..chunk.count].iter_mut().enumerate() {
            let first = (chunk.first + number) * OF;
            let mut from = [&self.b[..0]; OF];
            for row in 0..OF {
                from[row] = &self.b[(first + row) * self.columns + column..][..width];
            }
            M::fill(rows, from);
        }
    }

    /// Copies the values and the coordinates of some rows, starting at `row` of those that are multiplied, to a strip.
    #[inline(always)]
    fn copy_strip<T, M, const GROUP: usize, const LANES: usize>(
        &self,
        chunk: Chunk,
        row: usize,
        strip: &mut Strip<M::Value, STORED, GROUP>,
    ) where
        M: Method<A, B, T, STORED, OF, GROUP, LANES>,
    {
        let mut values = [&self.a[..0]; GROUP];
        let mut coordinates = [[[0; STORED]; GROUPS]; GROUP];
        for number in 0..GROUP {
            // A strip repeats the last row in place of missing ones; their sums are not written.
            let row = (row + number).min(self.rows.len() - 1);
            let start = ((self.rows.start + row) * chunk.all + chunk.first) * STORED;
            let range = start..start + chunk.count * STORED;
            // The same columns of the row that is copied there next: the distance is too large for the CPU's prefetchers.
            let next = start + STRIPS * GROUP * chunk.all * STORED;
            for at in (0..chunk.count * STORED).step_by(const { 64usize.div_ceil(size_of::<A>()) })
            {
                prefetch_element(self.a, next + at);
            }
            self.level.ask(next);
            values[number] = &self.a[range.clone()];
            let all = &mut coordinates[number];
            let coordinates = self.level.stored(range);
            for (to, coordinate) in all.as_flattened_mut().iter_mut().zip(coordinates) {
                *to = coordinate as u8;
            }
            // A separate loop, which processes all coordinates at once.
            for coordinates in all {
                *coordinates = M::stored(*coordinates);
            }
        }
        // All rows of a group at once: neighbours in a strip are written together.
        for group in 0..chunk.count.min(GROUPS) {
            for row in 0..GROUP {
                let mut stored = [values[row][group * STORED]; STORED];
                for entry in 0..STORED {
                    stored[entry] = values[row][group * STORED + entry];
                }
                strip.values[group][row] = M::values(stored);
                strip.coordinates[group][row] = coordinates[row][group];
            }
        }
    }

    /// Adds the products of strips and a panel to the sums of some rows and columns, starting at `row` and `column`. Before the
    /// first chunk, the sums are zero.
    #[inline(always)]
    fn multiply<T: SparseElement, M, const GROUP: usize, const LANES: usize>(
        &self,
        method: M,
        chunk: Chunk,
        (row, column): (usize, usize),
        strips: &[Strip<M::Value, STORED, GROUP>],
        panel: &[M::Rows],
        c: &mut [T],
    ) where
        M: Method<A, B, T, STORED, OF, GROUP, LANES>,
    {
        let is_first = chunk.first == 0;
        for (number, strip) in strips.iter().enumerate() {
            let first = row + number * GROUP;
            let pitch = self.columns;
            let c = &mut c[first * pitch..];
            if c.len() >= GROUP * pitch && pitch - column >= LANES {
                // The sums of the strip after the next one: the time of one is less than that of a load from memory.
                for row in 2 * GROUP..3 * GROUP {
                    for lane in (0..LANES).step_by(const { 64usize.div_ceil(size_of::<T>()) }) {
                        prefetch_element(c, row * pitch + column + lane);
                    }
                }
                let sums = Sums { pitch, elements: &mut c[column..] };
                method.multiply(strip, panel, sums, is_first);
                continue;
            }
            let mut sums = [[T::ZERO; LANES]; GROUP];
            for (sums, row) in sums.iter_mut().zip(c.chunks(self.columns)) {
                copy(&row[column..], sums);
            }
            let elements = sums.as_flattened_mut();
            method.multiply(strip, panel, Sums { pitch: LANES, elements }, is_first);
            for (sums, row) in sums.iter().zip(c.chunks_mut(self.columns)) {
                copy(sums, &mut row[column..]);
            }
        }
    }
}

/// Copies elements until the end of the shorter of two slices.
#[inline(always)]
pub(super) fn copy<T: Copy>(from: &[T], to: &mut [T]) {
    let len = from.len().min(to.len());
    to[..len].copy_from_slice(&from[..len]);
}
