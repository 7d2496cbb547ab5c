use super::super::encoding::SparseEncoding;
use super::super::width::{Coordinate, Position};
use super::Storage;
use super::access::{Home, Rule};
use crate::parts::Coordinates;
use crate::sparse::MAX_RANK;
use alloc::vec::Vec;

/// Visits the positions of the last level in storage order.
pub struct Cursor<'a, P, C: Coordinate, T> {
    encoding: &'a SparseEncoding,
    storage: &'a Storage<P, C, T>,
    levels: Vec<Level>,
    /// The number of levels whose segment is set.
    depth: usize,
}

/// The state of the cursor on one level.
#[derive(Clone, Copy)]
struct Level {
    rule: Rule,
    home: Home,
    /// The remaining positions of the segment: from `position` up to `end`.
    position: usize,
    end: usize,
    /// The coordinate at the last position.
    coordinate: i64,
    /// The weighted sum of the coordinates down to this level, for each dimension.
    sums: [i64; MAX_RANK],
    /// The number of the batch, computed from the batch levels down to this one.
    batch: usize,
}

impl<'a, P: Position, C: Coordinate, T> Cursor<'a, P, C, T> {
    pub fn new(encoding: &'a SparseEncoding, storage: &'a Storage<P, C, T>) -> Self {
        let level = |level| {
            let (rule, home) = (Rule::of(encoding, level), encoding.home(level));
            Level { rule, home, position: 0, end: 0, coordinate: 0, sums: [0; MAX_RANK], batch: 0 }
        };
        let levels = (0..storage.extents.len()).map(level).collect();
        // Without values there is nothing to visit, however many rows or batches the shape claims.
        let depth = usize::from(!storage.parts.values.is_empty());
        let mut cursor = Self { encoding, storage, levels, depth };
        if depth > 0 {
            cursor.enter(0, 0, 0);
        }
        cursor
    }

    /// Sets the segment of `level` to the positions below `above`.
    fn enter(&mut self, level: usize, above: usize, batch: usize) {
        // The first level below the batch levels has one segment in each batch.
        let above = if level <= self.encoding.batch_levels() { 0 } else { above };
        let frame = &mut self.levels[level];
        let positions = match frame.rule.has_positions() {
            true => self.storage.positions_of(level, batch),
            false => &[],
        };
        let extent = self.storage.extents[level];
        let segment = frame.rule.below(positions, extent.size, above);
        (frame.position, frame.end) = (segment.start, segment.end);
        frame.coordinate = if frame.rule == Rule::Full { extent.least - 1 } else { -1 };
    }

    /// The next position of the last level, which is the position in the array of values.
    pub fn next_position(&mut self) -> Option<usize> {
        while self.depth > 0 {
            let level = self.depth - 1;
            let (mut sums, batch) = match level.checked_sub(1) {
                Some(above) => (self.levels[above].sums, self.levels[above].batch),
                None => ([0; MAX_RANK], 0),
            };
            let frame = &mut self.levels[level];
            if frame.position == frame.end {
                self.depth -= 1;
                continue;
            }
            let position = frame.position;
            let at = self.storage.first_position(level, batch) + position;
            let Home { level: array, offset, stride } = frame.home;
            let words = &self.storage.parts.levels[array].coordinates;
            frame.coordinate = match frame.rule {
                Rule::Full => frame.coordinate + 1,
                Rule::Gaps => frame.coordinate + 1 + C::get(words, at * stride + offset),
                _ => C::get(words, at * stride + offset),
            };
            for (dim, sum) in sums[..self.encoding.rank()].iter_mut().enumerate() {
                let weight = self.encoding.inverse().weight(dim, level);
                *sum = sum.wrapping_add(frame.coordinate.wrapping_mul(weight));
            }
            frame.sums = sums;
            frame.position += 1;
            frame.batch = match level < self.encoding.batch_levels() {
                true => batch * self.storage.extents[level].size + position,
                false => batch,
            };
            let batch = frame.batch;
            if level + 1 == self.levels.len() {
                let batch_only = level < self.encoding.batch_levels();
                return Some(if batch_only { batch } else { at });
            }
            self.depth += 1;
            self.enter(level + 1, position, batch);
        }
        None
    }

    /// The index at the current position; `None` at padding outside of the array.
    pub fn index(&self) -> Option<Coordinates> {
        let sums = &self.levels.last()?.sums;
        let shape = self.storage.shape();
        let mut index = [0; MAX_RANK];
        for (dim, size) in shape.iter().enumerate() {
            let x = self.encoding.inverse().digit(dim).of(sums[dim]);
            index[dim] = usize::try_from(x).ok().filter(|x| x < size)?;
        }
        Coordinates::new(&index[..shape.len()])
    }
}
