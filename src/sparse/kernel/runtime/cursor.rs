use crate::sparse::{Encoding, LevelRef};
use core::ops::Range;
use layout_core::parts::Digit;

/// A cursor in a segment of a level, for loops that advance several cursors together.
///
/// Its coordinate is a digit of the stored one minus a shift. Positions with the same coordinate are one group.
pub struct LevelCursor<'a, E: Encoding, const LEVEL: usize> {
    level: LevelRef<'a, E, LEVEL>,
    position: usize,
    /// The end of the group, and of the segment.
    group: usize,
    end: usize,
    coordinate: i64,
    /// The stored coordinate at the last position of the group.
    stored: i64,
    map: CoordinateMap,
}

/// How the coordinate of an index follows from the stored one. For the index `i` of `a[i + 1]`, the shift is 1.
#[derive(Clone, Copy)]
pub struct CoordinateMap {
    /// The digit of the stored coordinate.
    pub digit: Digit<i64>,
    /// The number that is subtracted from the digit.
    pub shift: i64,
}

impl CoordinateMap {
    /// The stored coordinate itself.
    pub const AS_STORED: Self = Self { digit: Digit::<i64>::WHOLE, shift: 0 };

    /// The coordinate that follows from a stored one.
    #[inline(always)]
    pub fn of(self, stored: i64) -> i64 {
        self.digit.of(stored) - self.shift
    }
}

impl<'a, E: Encoding, const LEVEL: usize> LevelCursor<'a, E, LEVEL> {
    /// The coordinate at the end of the segment, larger than all others.
    pub const END: i64 = i64::MAX;

    /// A cursor at the start of `segment`. If `groups`, all positions of one coordinate are one step.
    #[inline(always)]
    pub fn new(
        level: LevelRef<'a, E, LEVEL>,
        segment: Range<usize>,
        map: CoordinateMap,
        groups: bool,
    ) -> Self {
        let Range { start, end } = segment;
        let mut cursor =
            Self { level, position: start, group: start, end, coordinate: -1, stored: -1, map };
        cursor.load(groups);
        cursor
    }

    /// Reads the coordinate at the position, and finds the end of its group.
    #[inline(always)]
    fn load(&mut self, groups: bool) {
        if self.position >= self.end {
            self.coordinate = Self::END;
            return;
        }
        self.stored = self.level.next_coordinate(self.stored, self.position);
        self.coordinate = self.map.of(self.stored);
        self.group = self.position + 1;
        while groups && self.group < self.end {
            let stored = self.level.next_coordinate(self.stored, self.group);
            if self.map.of(stored) != self.coordinate {
                break;
            }
            self.stored = stored;
            self.group += 1;
        }
    }

    /// The coordinate; [`LevelCursor::END`] after the last position.
    #[inline(always)]
    pub fn coordinate(&self) -> i64 {
        self.coordinate
    }

    /// The position, the first of the group.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.position
    }

    /// One past the last position of the group.
    #[inline(always)]
    pub fn group(&self) -> usize {
        self.group
    }

    /// Advances by one group if the cursor is at `coordinate`.
    #[inline(always)]
    pub fn pass(&mut self, coordinate: i64, groups: bool) {
        if self.coordinate == coordinate {
            self.position = self.group;
            self.load(groups);
        }
    }

    /// Advances to the first position whose coordinate is at least `coordinate`. If the level is ordered, it searches in steps
    /// that double, and then by bisection.
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
        let at = |position| self.map.of(self.level.next_coordinate(-1, position));
        let (mut low, mut step) = (self.position, 1);
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
        self.position = low;
        self.load(groups);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::SparseTensor;
    use crate::sparse::formats::Csr;
    use alloc::vec::Vec;

    #[test]
    fn galloping_finds_what_passing_finds() {
        let columns: Vec<usize> = (0..40).map(|j| j * j % 97 + j).collect();
        let mut dense = [0.0; 140];
        columns.iter().for_each(|j| dense[*j] = 1.0);
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 140], &dense).unwrap();
        let level = tensor.level::<1>();
        for wanted in 0..141 {
            for start in 0..level.below(0).end {
                let segment = start..level.below(0).end;
                let new =
                    || LevelCursor::new(level, segment.clone(), CoordinateMap::AS_STORED, false);
                let (mut gallop, mut pass) = (new(), new());
                gallop.gallop(wanted, false);
                while pass.coordinate() < wanted {
                    pass.pass(pass.coordinate(), false);
                }
                assert_eq!(
                    (gallop.position(), gallop.coordinate()),
                    (pass.position(), pass.coordinate())
                );
            }
        }
    }

    #[test]
    fn groups_are_taken_at_once() {
        let mut dense = [0.0; 12];
        [1, 2, 3, 8, 11].iter().for_each(|j| dense[*j] = 1.0);
        let tensor = SparseTensor::<Csr, f64>::from_dense([1, 12], &dense).unwrap();
        let map = CoordinateMap { digit: Digit { div: 4, size: None }, shift: 1 };
        let mut cursor = LevelCursor::new(tensor.level::<1>(), 0..5, map, true);
        let mut found = Vec::new();
        while cursor.coordinate() != LevelCursor::<Csr, 1>::END {
            found.push((cursor.coordinate(), cursor.position()..cursor.group()));
            cursor.pass(cursor.coordinate(), true);
        }
        assert_eq!(found, [(-1, 0..3), (1, 3..5)]);
    }
}
