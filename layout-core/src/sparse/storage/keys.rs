use super::super::encoding::SparseEncoding;
use super::super::expr::LevelExpr;
use super::super::extent::Extent;
use super::{BuildError, Duplicates};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The entries of a tensor in storage order: the coordinates of each on all levels, and its number in the input.
pub(super) struct Keys {
    levels: usize,
    /// Coordinates, those of an entry next to each other; the entries are in the order of the input.
    coordinates: Vec<i64>,
    /// The numbers of the entries, in storage order. Where several are summed, only the number of the first.
    pub(super) order: Vec<usize>,
    /// For each entry of `order`, the end in `sorted` of those that are summed with it; empty where nothing is summed.
    pub(super) ends: Vec<usize>,
    /// The numbers of all entries in storage order; empty where nothing is summed.
    pub(super) sorted: Vec<usize>,
}

impl Keys {
    /// Sorts `entries` indices. Linear if they are sorted already.
    pub(super) fn new<'a>(
        encoding: &SparseEncoding,
        shape: &[usize],
        extents: &[Extent],
        entries: usize,
        index: impl Fn(usize) -> &'a [usize],
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let levels = encoding.levels();
        let mut coordinates = Vec::new();
        reserve(&mut coordinates, entries.saturating_mul(levels.len()))?;
        for entry in 0..entries {
            let at = index(entry);
            if at.len() != shape.len() || at.iter().zip(shape).any(|(x, size)| x >= size) {
                let (index, shape) = (at.to_vec(), shape.to_vec());
                return Err(BuildError::OutOfBounds { entry, index, shape });
            }
            for (level, (spec, extent)) in levels.iter().zip(extents).enumerate() {
                let coordinate = spec.expr.of(at);
                let Extent { least, size } = *extent;
                // One comparison is enough: a number below the least wraps around to a large unsigned one.
                if coordinate.wrapping_sub(least) as u64 >= size as u64 {
                    return Err(BuildError::Coordinate { level, coordinate, entry, least, size });
                }
                coordinates.push(coordinate);
            }
        }
        let mut order = Vec::new();
        reserve(&mut order, entries)?;
        order.extend(0..entries);
        let mut keys =
            Self { levels: levels.len(), coordinates, order, ends: Vec::new(), sorted: Vec::new() };
        keys.sort();
        keys.merge(encoding, duplicates, &index)?;
        keys.check_singletons(encoding)?;
        if let Some(level) = encoding.count_level() {
            keys.count(encoding, level, extents[level].size)?;
        }
        Ok(keys)
    }

    /// The coordinates of the entry number `entry` of the input.
    pub(super) fn of(&self, entry: usize) -> &[i64] {
        &self.coordinates[entry * self.levels..][..self.levels]
    }

    /// Coordinate of `level` of the entry at `at` in storage order.
    #[inline]
    pub(super) fn coordinate(&self, at: usize, level: usize) -> i64 {
        self.coordinates[self.order[at] * self.levels + level]
    }

    fn sort(&mut self) {
        let mut order = core::mem::take(&mut self.order);
        let compare = |a: &usize, b: &usize| self.of(*a).cmp(self.of(*b));
        if !order.is_sorted_by(|a, b| compare(a, b) != Ordering::Greater) {
            order.sort_by(compare);
        }
        self.order = order;
    }

    /// Applies the policy for entries with the same index.
    fn merge<'a>(
        &mut self,
        encoding: &SparseEncoding,
        duplicates: Duplicates,
        index: &impl Fn(usize) -> &'a [usize],
    ) -> Result<(), BuildError> {
        let twice = self.order.windows(2).find(|pair| self.of(pair[0]) == self.of(pair[1]));
        let Some(pair) = twice else { return Ok(()) };
        match duplicates {
            Duplicates::Error => Err(BuildError::Duplicate {
                first: pair[0],
                second: pair[1],
                index: index(pair[0]).to_vec(),
            }),
            Duplicates::Keep => {
                let keeps = encoding.levels().iter().any(|level| level.properties.nonunique);
                if keeps { Ok(()) } else { Err(BuildError::KeepUnique) }
            }
            Duplicates::Sum => {
                self.sorted = core::mem::take(&mut self.order);
                let (mut order, mut ends) = (Vec::new(), Vec::new());
                for (at, &entry) in self.sorted.iter().enumerate() {
                    match order.last() {
                        Some(&last) if self.of(last) == self.of(entry) => ends.pop(),
                        _ => {
                            order.push(entry);
                            None
                        }
                    };
                    ends.push(at + 1);
                }
                (self.order, self.ends) = (order, ends);
                Ok(())
            }
        }
    }

    /// Singletons with further levels below them must distinguish entries, unless they are `nonunique`.
    fn check_singletons(&self, encoding: &SparseEncoding) -> Result<(), BuildError> {
        for level in (0..self.levels).filter(|level| encoding.tells_apart(*level)) {
            let same = |pair: &&[usize]| self.of(pair[0])[..=level] == self.of(pair[1])[..=level];
            if let Some(&[first, second]) = self.order.windows(2).find(same) {
                return Err(BuildError::Repeated { level, first, second });
            }
        }
        Ok(())
    }

    /// Numbers the entries of each row, and sorts by that number if its level comes before the level of rows.
    fn count(
        &mut self,
        encoding: &SparseEncoding,
        level: usize,
        slots: usize,
    ) -> Result<(), BuildError> {
        let row = 1 - level;
        debug_assert!(matches!(encoding.levels()[row].expr, LevelExpr::Part { .. }));
        let (mut current, mut number) = (None, 0);
        for at in 0..self.order.len() {
            let entry = self.order[at];
            let this = self.coordinates[entry * self.levels + row];
            number = if current == Some(this) { number + 1 } else { 0 };
            current = Some(this);
            if number == slots {
                return Err(BuildError::Slots { level, entry, slots });
            }
            self.coordinates[entry * self.levels + level] = number as i64;
        }
        if level < row && self.ends.is_empty() {
            self.sort();
        } else if level < row {
            // Entries that are summed move together with the first of them.
            let mut runs: Vec<(usize, usize, usize)> = Vec::with_capacity(self.order.len());
            let mut start = 0;
            for (&entry, &end) in self.order.iter().zip(&self.ends) {
                runs.push((entry, start, end));
                start = end;
            }
            runs.sort_by(|a, b| self.of(a.0).cmp(self.of(b.0)));
            let mut sorted = Vec::with_capacity(self.sorted.len());
            let mut ends = Vec::with_capacity(runs.len());
            for &(_, start, end) in &runs {
                sorted.extend_from_slice(&self.sorted[start..end]);
                ends.push(sorted.len());
            }
            self.order = runs.into_iter().map(|(entry, ..)| entry).collect();
            (self.sorted, self.ends) = (sorted, ends);
        }
        Ok(())
    }
}

fn reserve<T>(list: &mut Vec<T>, len: usize) -> Result<(), BuildError> {
    list.try_reserve_exact(len).map_err(|_| BuildError::OutOfMemory { level: 0, positions: len })
}
