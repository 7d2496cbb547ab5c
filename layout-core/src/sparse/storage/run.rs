//! A compressed level and the singletons below it: the coordinates of one place on all of them are those of one entry, and
//! the entries are what has an order.

use super::super::encoding::SparseEncoding;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::access::Rule;
use super::{AssembleError, Storage};
use alloc::vec::Vec;

impl<P: Position, C: Coordinate, T> Storage<P, C, T> {
    /// The coordinates of singleton `level` are in order among entries with the same coordinates on the levels above, and
    /// not repeated among them where the level promises that.
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
        let offset = self.first_place(level, batch);
        let coordinate = |level, place| self.coordinate_at(encoding, level, offset + place);
        let same_above = |a, b| (first..level).all(|at| coordinate(at, a) == coordinate(at, b));
        let (rule, positions) = (Rule::of(encoding, first), self.positions_of(first, batch));
        let segments = first.checked_sub(1).map_or(1, |above| self.places[above]);
        for segment in 0..segments {
            let places = rule.below(positions, 0, segment);
            for place in places.clone().skip(1).filter(|place| same_above(place - 1, *place)) {
                let (before, coordinate) = (coordinate(level, place - 1), coordinate(level, place));
                if ordered(level) && coordinate < before {
                    return Err(AssembleError::Order { level, place, coordinate });
                }
                if unique && coordinate == before {
                    return Err(AssembleError::Repeated { level, place });
                }
            }
            // Without order, entries with the same coordinates need not be neighbors.
            if unique && !sorted {
                let key = |place| (first..=level).map(move |at| coordinate(at, place));
                let mut places: Vec<usize> = places.collect();
                places.sort_by(|a, b| key(*a).cmp(key(*b)));
                if let Some(pair) = places.windows(2).find(|pair| key(pair[0]).eq(key(pair[1]))) {
                    return Err(AssembleError::Repeated { level, place: pair[1] });
                }
            }
        }
        Ok(())
    }
}
