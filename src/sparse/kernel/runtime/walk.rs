use crate::sparse::{Encoding, LevelRef};
use core::ops::Range;
use layout_core::parts::Digit;

/// Goes through the places of a level, coordinate by coordinate, beside others that do the same.
///
/// The coordinate is a digit of the stored one minus a shift. Places with the same coordinate are one group.
pub struct Walk<'a, E: Encoding, const LEVEL: usize> {
    level: LevelRef<'a, E, LEVEL>,
    place: usize,
    /// The end of the group, and of all.
    group: usize,
    end: usize,
    coordinate: i64,
    /// What is stored at the last place of the group.
    stored: i64,
    of: Coordinate,
}

/// How a coordinate follows from what is stored.
#[derive(Clone, Copy)]
pub struct Coordinate {
    /// Which digit of it the coordinate is.
    pub digit: Digit<i64>,
    /// What is subtracted from the digit.
    pub shift: i64,
}

impl Coordinate {
    /// The coordinate that is stored.
    pub const AS_STORED: Self = Self { digit: Digit::<i64>::WHOLE, shift: 0 };

    /// The coordinate of a stored one.
    #[inline(always)]
    pub fn of(self, stored: i64) -> i64 {
        self.digit.of(stored) - self.shift
    }
}

impl<'a, E: Encoding, const LEVEL: usize> Walk<'a, E, LEVEL> {
    /// The coordinate behind all others.
    pub const END: i64 = i64::MAX;

    /// Stands at the first of `places`. With `groups` it takes all places of one coordinate at once.
    #[inline(always)]
    pub fn new(
        level: LevelRef<'a, E, LEVEL>,
        places: Range<usize>,
        of: Coordinate,
        groups: bool,
    ) -> Self {
        let Range { start, end } = places;
        let mut walk =
            Self { level, place: start, group: start, end, coordinate: -1, stored: -1, of };
        walk.stand(groups);
        walk
    }

    #[inline(always)]
    fn stand(&mut self, groups: bool) {
        if self.place >= self.end {
            self.coordinate = Self::END;
            return;
        }
        self.stored = self.level.next_coordinate(self.stored, self.place);
        self.coordinate = self.of.of(self.stored);
        self.group = self.place + 1;
        while groups && self.group < self.end {
            let stored = self.level.next_coordinate(self.stored, self.group);
            if self.of.of(stored) != self.coordinate {
                break;
            }
            self.stored = stored;
            self.group += 1;
        }
    }

    /// The coordinate; [`Walk::END`] behind the last place.
    #[inline(always)]
    pub fn coordinate(&self) -> i64 {
        self.coordinate
    }

    /// The place.
    #[inline(always)]
    pub fn place(&self) -> usize {
        self.place
    }

    /// One past the last place that has the coordinate.
    #[inline(always)]
    pub fn group(&self) -> usize {
        self.group
    }

    /// Goes on if it stands at `coordinate`.
    #[inline(always)]
    pub fn pass(&mut self, coordinate: i64, groups: bool) {
        if self.coordinate == coordinate {
            self.place = self.group;
            self.stand(groups);
        }
    }

    /// Goes on to the first place whose coordinate is not below `coordinate`, by steps that double, then by halves if the
    /// level is ordered.
    #[inline]
    pub fn gallop(&mut self, coordinate: i64, groups: bool) {
        if self.coordinate >= coordinate {
            return;
        }
        if const { !LevelRef::<E, LEVEL>::ORDERED } {
            while self.coordinate < coordinate {
                self.pass(self.coordinate, groups);
            }
            return;
        }
        let at = |place| self.of.of(self.level.next_coordinate(-1, place));
        let (mut low, mut step) = (self.place, 1);
        while low + step < self.end && at(low + step) < coordinate {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(self.end);
        low += 1;
        while low < high {
            let middle = low + (high - low) / 2;
            if at(middle) < coordinate {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.place = low;
        self.stand(groups);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::SparseTensor;
    use crate::sparse::formats::Csr;
    use alloc::vec::Vec;

    #[test]
    fn galloping_finds_what_walking_finds() {
        let columns: Vec<usize> = (0..40).map(|j| j * j % 97 + j).collect();
        let mut dense = [0.0; 140];
        columns.iter().for_each(|j| dense[*j] = 1.0);
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 140], &dense).unwrap();
        let level = tensor.level::<1>();
        for wanted in 0..141 {
            for start in 0..level.below(0).end {
                let places = start..level.below(0).end;
                let new = || Walk::new(level, places.clone(), Coordinate::AS_STORED, false);
                let (mut gallop, mut walk) = (new(), new());
                gallop.gallop(wanted, false);
                while walk.coordinate() < wanted {
                    walk.pass(walk.coordinate(), false);
                }
                assert_eq!(
                    (gallop.place(), gallop.coordinate()),
                    (walk.place(), walk.coordinate())
                );
            }
        }
    }

    #[test]
    fn groups_are_taken_at_once() {
        let mut dense = [0.0; 12];
        [1, 2, 3, 8, 11].iter().for_each(|j| dense[*j] = 1.0);
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 12], &dense).unwrap();
        let of = Coordinate { digit: Digit { div: 4, size: None }, shift: 1 };
        let mut walk = Walk::new(tensor.level::<1>(), 0..5, of, true);
        let mut found = Vec::new();
        while walk.coordinate() != Walk::<Csr, 1>::END {
            found.push((walk.coordinate(), walk.place()..walk.group()));
            walk.pass(walk.coordinate(), true);
        }
        assert_eq!(found, [(-1, 0..3), (1, 3..5)]);
    }
}
