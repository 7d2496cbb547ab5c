//! A compressed level and the singletons below it. The coordinates at one position on all of these levels belong to one entry, so
//! the order is checked for entries, not for each level by itself.

use super::super::encoding::SparseEncoding;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::access::Rule;
use super::{AssembleError, Storage};
use alloc::vec::Vec;

impl<P: Position, C: Coordinate, T> Storage<P, C, T> {
    /// Checks that the coordinates of singleton `level` are in order among entries with the same coordinates on the levels
    /// above, and that none is repeated among them if the level guarantees that.
    pub(super) fn check_singleton(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        batch: usize,
    ) -> Result<(), AssembleError> {
        let levels = encoding.levels();
        let ordered = |level: usize| !levels[level].properties.nonordered;
        let unique = encoding.tells_apart(level);
        if !unique && !ordered(level) {
            return Ok(());
        }
        let is_singleton = |level: usize| matches!(levels[level].format, LevelFormat::Singleton);
        let first = (0..level).rev().find(|above| !is_singleton(*above)).unwrap_or(0);
        let sorted = (first..=level).all(ordered);
        let offset = self.first_position(level, batch);
        let coordinate = |level, position| self.coordinate_at(encoding, level, offset + position);
        let same_above = |a, b| (first..level).all(|at| coordinate(at, a) == coordinate(at, b));
        let (rule, positions) = (Rule::of(encoding, first), self.positions_of(first, batch));
        let segments = first.checked_sub(1).map_or(1, |above| self.counts[above]);
        for segment in 0..segments {
            let range = rule.below(positions, 0, segment);
            for position in
                range.clone().skip(1).filter(|position| same_above(position - 1, *position))
            {
                let (before, coordinate) =
                    (coordinate(level, position - 1), coordinate(level, position));
                if ordered(level) && coordinate < before {
                    return Err(AssembleError::Order { level, position, coordinate });
                }
                if unique && coordinate == before {
                    return Err(AssembleError::Repeated { level, position });
                }
            }
            // If the level has no order, entries with the same coordinates need not be adjacent.
            if unique && !sorted {
                let key = |position| (first..=level).map(move |at| coordinate(at, position));
                let mut sorted: Vec<usize> = range.collect();
                sorted.sort_by(|a, b| key(*a).cmp(key(*b)));
                if let Some(pair) = sorted.windows(2).find(|pair| key(pair[0]).eq(key(pair[1]))) {
                    return Err(AssembleError::Repeated { level, position: pair[1] });
                }
            }
        }
        Ok(())
    }
}
