//! Building an encoding that stores blocks (full levels, a compressed level, and full levels below it) from entries that are
//! ordered by block row, and are in any order within a block row.

use super::super::element::SparseElement;
use super::super::extent::Extent;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::keys::Keys;
use super::order::filled;
use super::{LastLevel, LevelParts, Memory, Parts, Source};
use alloc::vec::Vec;

/// The largest number of block columns per entry. Each block column takes memory here, whether it has entries or not.
const MOST_COLUMNS: usize = 4;

/// The number of the compressed level; `None` unless all other levels are full.
fn compressed<P: Position, C: Coordinate>(keys: &Keys<'_>) -> Option<usize> {
    let (levels, draft) = (keys.encoding.levels(), keys.encoding.draft());
    let level = levels.iter().position(|level| level.format == LevelFormat::Compressed)?;
    let full = (0..levels.len()).all(|at| at == level || levels[at].format == LevelFormat::Dense);
    let widths = draft.position_bits == P::BITS && draft.coordinate_bits == C::BITS;
    let blocks = level > 0 && level + 1 < levels.len() && !keys.encoding.counts();
    let numbered = keys.is_one_group(0..level) && keys.is_one_group(level + 1..levels.len());
    (full && widths && blocks && numbered && C::PER_WORD == 1).then_some(level)
}

/// The arrays of a compressed level between full ones, filled with entries that are ordered by block row. The blocks of the last
/// block row are in the order of their first entries until the block row is complete.
pub struct BlockRows<P, C: Coordinate, T> {
    positions: Vec<P>,
    coordinates: Vec<C::Word>,
    values: Vec<T>,
    /// For each block column, one more than the number of its last block. If that is at most `first`, the block belongs to an
    /// earlier block row. If block row 0 has blocks in the columns 3 and 1, in that order, their numbers here are 1 and 2; `first`
    /// is 2 in block row 1, whose first entry in column 3 begins block number 2.
    last: Vec<usize>,
    /// The first block of the last block row, and the number of that row.
    first: usize,
    row: usize,
    /// The number of all block rows.
    rows: usize,
    /// The number of values of a block.
    size: usize,
    /// The coordinate of the first block column.
    least: i64,
    memory: Memory,
}

impl<P: Position, C: Coordinate, T: SparseElement> BlockRows<P, C, T> {
    /// Blocks of `size` values for at most `entries` entries, in `rows` block rows and `columns` block columns. `None` if
    /// memory for them cannot be allocated, or if there are many more block columns than entries.
    pub fn new(
        rows: usize,
        columns: Extent,
        size: usize,
        entries: usize,
        memory: Memory,
    ) -> Option<Self> {
        let Extent { least, size: columns } = columns;
        if columns > entries.saturating_mul(MOST_COLUMNS) {
            return None;
        }
        let mut positions = Vec::new();
        memory.reserve_exact(&mut positions, rows.checked_add(1)?).ok()?;
        positions.push(P::default());
        let (coordinates, values) = (Vec::new(), Vec::new());
        let last = filled(memory, columns).ok()?;
        let (first, row) = (0, 0);
        Some(Self { positions, coordinates, values, last, first, row, rows, size, least, memory })
    }

    /// Starts block row number `row`. `None` if it comes before the last one.
    #[inline(always)]
    pub fn enter(&mut self, row: usize) -> Option<()> {
        if row == self.row {
            return Some(());
        }
        if row < self.row {
            return None;
        }
        self.next_row(row)
    }

    /// Stores a value in the block of a block column, at an offset in the block.
    #[inline(always)]
    pub fn put(&mut self, column: usize, offset: usize, value: T) -> Option<()> {
        if self.last[column] <= self.first {
            if self.coordinates.len() == self.coordinates.capacity()
                || self.values.capacity() - self.values.len() < self.size
            {
                self.grow()?;
            }
            self.coordinates.push(C::word(self.least + column as i64));
            self.values.resize(self.values.len() + self.size, T::ZERO);
            self.last[column] = self.coordinates.len();
        }
        self.values[(self.last[column] - 1) * self.size + offset] = value;
        Some(())
    }

    /// Makes room for another block: for as many blocks as will probably follow, once some block rows are complete. An array that
    /// doubles moves several times, and the system splits huge pages that move.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Option<()> {
        let len = self.coordinates.len();
        let all = (len as u128 * self.rows as u128).checked_div(self.row as u128);
        let expected = all.map(|all| all + all / 16).and_then(|all| usize::try_from(all).ok());
        if let Some(all) = expected.filter(|all| self.row >= self.rows / 16 && *all > len) {
            let values = (all - len).saturating_mul(self.size);
            if self.memory.reserve_exact(&mut self.coordinates, all - len).is_ok()
                && self.memory.reserve_exact(&mut self.values, values).is_ok()
            {
                return Some(());
            }
        }
        self.memory.reserve(&mut self.coordinates, 1).ok()?;
        self.memory.reserve(&mut self.values, self.size).ok()
    }

    /// The arrays of all block rows.
    pub fn finish(mut self) -> Option<LastLevel<P, C::Word, T>> {
        self.next_row(self.rows)?;
        let Self { positions, mut coordinates, mut values, .. } = self;
        coordinates.shrink_to_fit();
        values.shrink_to_fit();
        Some((LevelParts { positions, coordinates }, values))
    }

    /// Sorts the blocks of the last block row, and starts block row number `row`; those in between are empty.
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
        (self.first, self.row) = (end, row);
        self.positions.resize(row + 1, P::new(end)?);
        Some(())
    }
}

/// Stores the entries of a source, whose indices must all differ, and of which there must be at most `entries`. `None` if the
/// encoding does not store blocks, or if the entries are not ordered by block row.
pub(super) fn blocks<I: AsRef<[usize]>, P: Position, C: Coordinate, T: SparseElement>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: usize,
    source: &dyn Source<I, T>,
) -> Option<Parts<P, C::Word, T>> {
    let level = compressed::<P, C>(keys)?;
    let levels = keys.extents.len();
    let rows = usize::try_from(keys.largest(0..level)).ok()?.checked_add(1)?;
    let size = usize::try_from(keys.largest(level + 1..levels)).ok()?.checked_add(1)?;
    let empty = keys.extents.iter().any(|extent| extent.size == 0);
    if empty {
        return None;
    }
    let made = BlockRows::<P, C, T>::new(rows, keys.extents[level], size, entries, keys.memory)?;
    let input = Input { least: keys.extents[level].least, source };
    let bits = |level| keys.bits(level);
    let arrays = match (level, levels, bits(0), bits(1), bits(2), bits(3)) {
        (1, 4, Some(row), Some(column), Some(i), Some(j)) => {
            let width = keys.extents[3].size;
            let locate = |index: &[usize]| {
                (row.of(index), column.of(index) as i64, i.of(index) * width + j.of(index))
            };
            input.fill(made, locate)
        }
        _ => input.fill(made, |index| {
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

/// Entries that become blocks, in block columns from `least` on.
struct Input<'a, I, T> {
    least: i64,
    source: &'a dyn Source<I, T>,
}

impl<I: AsRef<[usize]>, T: SparseElement> Input<'_, I, T> {
    /// Stores the entries; `locate` computes the block row of an index, its block column, and its offset in the block.
    fn fill<P: Position, C: Coordinate>(
        &self,
        mut made: BlockRows<P, C, T>,
        locate: impl Fn(&[usize]) -> (usize, i64, usize),
    ) -> Option<LastLevel<P, C::Word, T>> {
        let mut works = true;
        let mut put = |index: &[usize], value: T| {
            let (row, coordinate, offset) = locate(index);
            made.enter(row)?;
            made.put((coordinate - self.least) as usize, offset, value)
        };
        self.source.chunks(&mut |chunk| {
            works = chunk.iter().all(|(index, value)| put(index.as_ref(), *value).is_some());
            works
        });
        if works { made.finish() } else { None }
    }
}
