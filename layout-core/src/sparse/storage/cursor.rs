use super::super::encoding::{MAX_LEVELS, SparseEncoding};
use super::super::width::{Coordinate, Position};
use super::Storage;
use super::access::Rule;
use crate::index_map::{Coordinates, MAX_RANK};

/// Goes through the places of the last level in storage order.
pub(in super::super) struct Cursor<'a, P, C: Coordinate, T> {
    encoding: &'a SparseEncoding,
    storage: &'a Storage<P, C, T>,
    /// The places that are left of the current segment of each level, and the coordinate of the one before them.
    levels: [(usize, usize, i64); MAX_LEVELS],
    /// Number of levels whose segment is set.
    depth: usize,
}

impl<'a, P: Position, C: Coordinate, T> Cursor<'a, P, C, T> {
    pub(in super::super) fn new(
        encoding: &'a SparseEncoding,
        storage: &'a Storage<P, C, T>,
    ) -> Self {
        let mut cursor = Self { encoding, storage, levels: [(0, 0, 0); MAX_LEVELS], depth: 1 };
        cursor.enter(0, 0);
        cursor
    }

    /// Number of the batch that the batch levels above `level` stand in.
    fn batch(&self, level: usize) -> usize {
        let first = self.encoding.batch_levels().min(level);
        (0..first).fold(0, |batch, above| {
            batch * self.storage.extents[above].size + self.levels[above].2 as usize
        })
    }

    /// Sets the segment of `level` to the places below `above`.
    fn enter(&mut self, level: usize, above: usize) {
        // Each batch starts from one place.
        let above = if level <= self.encoding.batch_levels() { 0 } else { above };
        let rule = Rule::of(self.encoding, level);
        let positions = match rule.has_positions() {
            true => self.storage.positions_of(level, self.batch(level)),
            false => &[],
        };
        let extent = self.storage.extents[level];
        let places = rule.below(positions, extent.size, above);
        let before = if rule == Rule::Full { extent.least - 1 } else { -1 };
        self.levels[level] = (places.start, places.end, before);
    }

    /// The next place of the last level, in the array of values.
    pub(in super::super) fn next_place(&mut self) -> Option<usize> {
        if self.storage.batches == 0 {
            return None;
        }
        let last = self.storage.extents.len() - 1;
        while self.depth > 0 {
            let level = self.depth - 1;
            let (place, end, before) = self.levels[level];
            if place == end {
                self.depth -= 1;
                continue;
            }
            let batch = self.batch(level);
            let at = self.storage.first_place(level, batch) + place;
            let coordinate = match Rule::of(self.encoding, level) {
                Rule::Full => before + 1,
                Rule::Gaps => before + 1 + self.storage.coordinate_at(self.encoding, level, at),
                _ => self.storage.coordinate_at(self.encoding, level, at),
            };
            self.levels[level] = (place + 1, end, coordinate);
            if level == last {
                return Some(at);
            }
            self.depth += 1;
            self.enter(level + 1, place);
        }
        None
    }

    /// The index at the current place; `None` if it is padding outside of the array.
    pub(in super::super) fn index(&self) -> Option<Coordinates> {
        let shape = self.storage.shape();
        let mut coordinates = [0i64; MAX_LEVELS];
        for (coordinate, level) in coordinates.iter_mut().zip(&self.levels) {
            *coordinate = level.2;
        }
        let mut index = [0; MAX_RANK];
        for (dim, size) in shape.iter().enumerate() {
            let x = self.encoding.inverse().dim(dim, &coordinates[..self.storage.extents.len()]);
            index[dim] = usize::try_from(x).ok().filter(|x| x < size)?;
        }
        Coordinates::new(&index[..shape.len()])
    }
}
