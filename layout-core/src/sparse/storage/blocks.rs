//! Building an encoding that stores blocks, which is full levels, a compressed one and full ones below it, from entries that
//! come block row by block row, in any order within one.

use super::super::element::SparseElement;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::keys::Keys;
use super::order::filled;
use super::{LastLevel, LevelParts, Parts, Source};
use alloc::vec::Vec;

/// The largest number of block columns for each entry: each column takes memory.
const MOST_COLUMNS: usize = 4;

/// The compressed level, if all others are full.
fn compressed<P: Position, C: Coordinate>(keys: &Keys<'_>) -> Option<usize> {
    let (levels, draft) = (keys.encoding.levels(), keys.encoding.draft());
    let level = levels.iter().position(|level| level.format == LevelFormat::Compressed)?;
    let full = (0..levels.len()).all(|at| at == level || levels[at].format == LevelFormat::Dense);
    let widths = draft.position_bits == P::BITS && draft.coordinate_bits == C::BITS;
    let blocks = level > 0 && level + 1 < levels.len() && !keys.encoding.counts();
    let numbered = keys.is_one_group(0..level) && keys.is_one_group(level + 1..levels.len());
    (full && widths && blocks && numbered && C::PER_WORD == 1).then_some(level)
}

/// The blocks so far. Those of the last block row are in the order of their first entries until it is complete.
struct Blocks<P, C: Coordinate, T> {
    positions: Vec<P>,
    coordinates: Vec<C::Word>,
    values: Vec<T>,
    /// The first block of the last block row.
    first: usize,
    /// The number of values of a block.
    size: usize,
}

impl<P: Position, C: Coordinate, T: SparseElement> Blocks<P, C, T> {
    /// Sorts the last block row, and starts with block row number `row`; those in between are empty.
    fn next_row(&mut self, row: usize) -> Option<()> {
        let end = self.coordinates.len();
        let column = |block: &usize| C::get(&self.coordinates, *block);
        if !(self.first..end).is_sorted_by_key(|block| column(&block)) {
            let mut order = Vec::new();
            order.try_reserve_exact(end - self.first).ok()?;
            order.extend(self.first..end);
            order.sort_unstable_by_key(column);
            let coordinates: Vec<C::Word> =
                order.iter().map(|block| self.coordinates[*block]).collect();
            let blocks =
                order.iter().flat_map(|block| &self.values[block * self.size..][..self.size]);
            let values: Vec<T> = blocks.copied().collect();
            self.coordinates[self.first..].copy_from_slice(&coordinates);
            self.values[self.first * self.size..].copy_from_slice(&values);
        }
        self.first = end;
        self.positions.resize(row + 1, P::new(end)?);
        Some(())
    }
}

/// Stores the entries of a source, `entries` at most, each with another index. `None` if the encoding is not one of blocks, or
/// the entries do not come block row by block row.
pub(super) fn blocks<I: AsRef<[usize]>, P: Position, C: Coordinate, T: SparseElement>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: usize,
    source: &dyn Source<I, T>,
) -> Option<Parts<P, C::Word, T>> {
    let level = compressed::<P, C>(keys)?;
    let levels = keys.extents.len();
    let (least, columns) = (keys.extents[level].least, keys.extents[level].size);
    let rows = usize::try_from(keys.largest(0..level)).ok()?.checked_add(1)?;
    let size = usize::try_from(keys.largest(level + 1..levels)).ok()?.checked_add(1)?;
    let empty = keys.extents.iter().any(|extent| extent.size == 0);
    if empty || columns > entries.saturating_mul(MOST_COLUMNS) {
        return None;
    }
    let input = Input { rows, columns, least, size, source };
    let bits = |level| keys.bits(level);
    let arrays = match (level, levels, bits(0), bits(1), bits(2), bits(3)) {
        (1, 4, Some(row), Some(column), Some(i), Some(j)) => {
            let width = keys.extents[3].size;
            let locate = |index: &[usize]| {
                (row.of(index), column.of(index) as i64, i.of(index) * width + j.of(index))
            };
            input.fill::<P, C>(locate)
        }
        _ => input.fill::<P, C>(|index| {
            let row = keys.key(0..level, index) as usize;
            (row, keys.coordinate(level, index), keys.key(level + 1..levels, index) as usize)
        }),
    };
    let (last, values) = arrays?;
    let mut arrays = Vec::new();
    arrays.resize_with(levels, LevelParts::default);
    arrays[level] = last;
    Some(Parts { shape: shape.to_vec(), levels: arrays, values })
}

/// Entries that become blocks of `size` values, in `rows` block rows and in `columns` block columns from `least` on.
struct Input<'a, I, T> {
    rows: usize,
    columns: usize,
    least: i64,
    size: usize,
    source: &'a dyn Source<I, T>,
}

impl<I: AsRef<[usize]>, T: SparseElement> Input<'_, I, T> {
    /// Stores the entries; `locate` gives the block row of an index, its block column, and its offset in the block.
    fn fill<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> (usize, i64, usize),
    ) -> Option<LastLevel<P, C::Word, T>> {
        let Self { rows, columns, least, size, source } = *self;
        let mut positions = Vec::new();
        positions.try_reserve_exact(rows.checked_add(1)?).ok()?;
        positions.push(P::default());
        let (coordinates, values) = (Vec::new(), Vec::new());
        let mut made = Blocks::<P, C, T> { positions, coordinates, values, first: 0, size };
        // One more than the last block of each block column. It is of an earlier block row if it is not above `made.first`.
        let mut last: Vec<usize> = filled(columns).ok()?;
        let mut row = 0;
        let mut works = true;
        let mut put = |index: &[usize], value: T| {
            let (this, coordinate, offset) = locate(index);
            if this != row {
                if this < row {
                    return None;
                }
                made.next_row(this)?;
                row = this;
            }
            let last = &mut last[(coordinate - least) as usize];
            if *last <= made.first {
                made.coordinates.try_reserve(1).ok()?;
                made.values.try_reserve(size).ok()?;
                made.coordinates.push(C::word(coordinate));
                made.values.resize(made.values.len() + size, T::ZERO);
                *last = made.coordinates.len();
            }
            made.values[(*last - 1) * size + offset] = value;
            Some(())
        };
        source.chunks(&mut |chunk| {
            works = chunk.iter().all(|(index, value)| put(index.as_ref(), *value).is_some());
            works
        });
        if !works {
            return None;
        }
        made.next_row(rows)?;
        let Blocks { positions, coordinates, values, .. } = made;
        Some((LevelParts { positions, coordinates }, values))
    }
}
