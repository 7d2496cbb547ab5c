use super::super::encoding::SparseEncoding;
use super::super::extent::Extent;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::access::Rule;
use super::{AssembleError, Assembled, BuildError, Parts, Rejected, Storage, widest_gap};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

impl<P: Position, C: Coordinate, T> Storage<P, C, T> {
    /// Makes a tensor from arrays: checks everything that reading relies on, and takes ownership of the arrays without changes.
    /// Linear in their length, except that a copy of each segment of an unordered level is sorted for the check.
    pub fn assemble(
        encoding: &SparseEncoding,
        parts: Parts<P, C::Word, T>,
    ) -> Assembled<Self, P, C::Word, T> {
        let reject = |parts, error| Err(Box::new(Rejected { parts, error }));
        let extents = match super::build::extents(encoding, &parts.shape) {
            Ok(extents) => extents,
            Err(BuildError::Shape(problem)) => return reject(parts, AssembleError::Shape(problem)),
            Err(_) => return reject(parts, AssembleError::Slice),
        };
        let (expected, found) = (extents.len(), parts.levels.len());
        if expected != found {
            return reject(parts, AssembleError::Levels { expected, found });
        }
        let mut storage = Self { parts, extents, counts: Vec::new(), batches: 1 };
        match storage.measure(encoding, true) {
            Ok(()) => Ok(storage),
            Err(error) => reject(storage.parts, error),
        }
    }

    /// Makes a tensor from arrays whose positions and coordinates were computed from checked indices. Checks only the lengths, on
    /// which unchecked reads rely.
    ///
    /// # Errors
    /// [`BuildError::Arrays`] if the lengths of the arrays do not fit each other.
    pub fn seal(
        encoding: &SparseEncoding,
        parts: Parts<P, C::Word, T>,
        extents: Vec<Extent>,
    ) -> Result<Self, BuildError> {
        let mut storage = Self { parts, extents, counts: Vec::new(), batches: 1 };
        match storage.measure(encoding, false) {
            Ok(()) => Ok(storage),
            Err(error) => Err(BuildError::Arrays(Box::new(error))),
        }
    }

    /// Counts the positions of each level and checks the lengths of the arrays; with `contents`, also checks their numbers.
    ///
    /// # Errors
    /// The first array that is wrong.
    pub fn measure(
        &mut self,
        encoding: &SparseEncoding,
        contents: bool,
    ) -> Result<(), AssembleError> {
        let mut above = 1usize;
        for level in 0..self.extents.len() {
            if level < encoding.batch_levels() {
                let batches = self.batches.checked_mul(self.extents[level].size);
                self.batches = batches.ok_or(AssembleError::Overflow { level })?;
                self.length(level, "positions", 0, self.parts.levels[level].positions.len())?;
                self.length(level, "coordinates", 0, self.parts.levels[level].coordinates.len())?;
                self.counts.push(1);
                continue;
            }
            let rule = Rule::of(encoding, level);
            let positions = rule.positions(above).and_then(|n| n.checked_mul(self.batches));
            let positions = positions.ok_or(AssembleError::Overflow { level })?;
            self.length(level, "positions", positions, self.parts.levels[level].positions.len())?;
            let count = self.count_positions(encoding, level, rule, above)?;
            self.counts.push(count);
            // A full level needs no checks, and a level without arrays has nothing to check. Without this condition, a shape
            // that claims many batches would cost a loop over all of them.
            let stored = rule != Rule::Full && (rule.has_positions() || count > 0);
            let batches = if contents && stored { self.batches } else { 0 };
            for batch in 0..batches {
                self.check_level(encoding, level, rule, batch, above)?;
                if matches!(encoding.levels()[level].format, LevelFormat::Singleton) {
                    self.check_singleton(encoding, level, batch)?;
                }
            }
            above = count;
        }
        let values = above.checked_mul(self.batches);
        let level = self.extents.len() - 1;
        let values = values.ok_or(AssembleError::Overflow { level })?;
        self.length(level, "values", values, self.parts.values.len())
    }

    fn length(
        &self,
        level: usize,
        what: &'static str,
        expected: usize,
        found: usize,
    ) -> Result<(), AssembleError> {
        match expected == found {
            true => Ok(()),
            false => Err(AssembleError::Length { level, what, expected, found }),
        }
    }

    /// The number of positions of the level in each batch. Also checks that its array of coordinates has that length.
    fn count_positions(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        rule: Rule,
        above: usize,
    ) -> Result<usize, AssembleError> {
        let overflow = AssembleError::Overflow { level };
        let home = encoding.home(level);
        let found = self.parts.levels[level].coordinates.len();
        let words = |count: usize| {
            let coordinates = count.checked_mul(self.batches)?.checked_mul(home.stride)?;
            Some(coordinates.div_ceil(C::PER_WORD))
        };
        let count = match rule {
            Rule::Full => {
                self.length(level, "coordinates", 0, found)?;
                return above.checked_mul(self.extents[level].size).ok_or(overflow);
            }
            Rule::Same => above,
            Rule::Fixed(n) => above.checked_mul(n).ok_or(AssembleError::Overflow { level })?,
            // A level with an array of positions: the length of the array of coordinates determines the number of positions.
            _ => {
                let group = home.stride * self.batches.max(1);
                found * C::PER_WORD / group
            }
        };
        let expected = if home.level == level { words(count).ok_or(overflow)? } else { 0 };
        self.length(level, "coordinates", expected, found)?;
        Ok(count)
    }

    fn check_level(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        rule: Rule,
        batch: usize,
        above: usize,
    ) -> Result<(), AssembleError> {
        let count = self.counts[level];
        if self.has_ascending_pairs(encoding, level, rule, above) {
            return Ok(());
        }
        let positions: &[P] =
            if rule.has_positions() { self.positions_of(level, batch) } else { &[] };
        let mut end = 0;
        let mut intervals = Vec::new();
        for segment in 0..above {
            let range = rule.below(positions, 0, segment);
            let Range { start, end: stop } = range;
            let wrong = match rule {
                // Each segment starts where the one before ends.
                Rule::Segment | Rule::Gaps => start != end,
                _ => false,
            };
            if wrong || start > stop || stop > count {
                return Err(AssembleError::Segment {
                    level,
                    segment,
                    start,
                    end: stop,
                    positions: count,
                });
            }
            end = stop;
            if rule == Rule::Interval && start < stop {
                intervals.push((start, stop, segment));
            }
            self.check_segment(encoding, level, rule, batch, range)?;
        }
        // Without a segment, the only position is where the first one would start.
        let first = positions.first().map_or(0, |position| position.get());
        if matches!(rule, Rule::Segment | Rule::Gaps) && above == 0 && first != 0 {
            let (segment, positions) = (0, count);
            return Err(AssembleError::Segment {
                level,
                segment,
                start: first,
                end: first,
                positions,
            });
        }
        // Positions after the last segment are allowed only as padding of a batch.
        if matches!(rule, Rule::Segment | Rule::Gaps) && self.batches == 1 && end != count {
            return Err(AssembleError::Segment {
                level,
                segment: above,
                start: end,
                end: count,
                positions: count,
            });
        }
        intervals.sort_unstable();
        match intervals.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            Some(&[_, (start, end, segment)]) => {
                Err(AssembleError::Segment { level, segment, start, end, positions: count })
            }
            _ => Ok(()),
        }
    }

    /// Whether the level is the last one of 2:4 sparsity, and all of its pairs of coordinates are valid; they are checked together.
    fn has_ascending_pairs(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        rule: Rule,
        above: usize,
    ) -> bool {
        rule == Rule::Fixed(2)
            && matches!(encoding.levels()[level].format, LevelFormat::Structured { m: 4, .. })
            && encoding.home(level).level == level
            && self.batches == 1
            && C::pairs_ascend(&self.parts.levels[level].coordinates, above)
    }

    /// Checks that the coordinates of one segment are within the level, in the order that the level guarantees.
    fn check_segment(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        rule: Rule,
        batch: usize,
        range: Range<usize>,
    ) -> Result<(), AssembleError> {
        let spec = &encoding.levels()[level];
        let extent = self.extents[level];
        let (least, size) = match spec.format {
            LevelFormat::Structured { m, .. } => (0, m),
            _ => (extent.least, extent.size),
        };
        // A level of 2^63 coordinates has the largest coordinate that there can be.
        let largest = (i128::from(least) + size as i128 - 1) as i64;
        let widest = match spec.format {
            LevelFormat::Delta { bits } => widest_gap(bits),
            _ => i64::MAX,
        };
        let first = self.first_position(level, batch);
        let alone = rule == Rule::Same;
        let (ordered, unique) = (!spec.properties.nonordered, !spec.properties.nonunique);
        let mut seen = Vec::new();
        let mut previous: Option<i64> = None;
        for position in range {
            let stored = self.coordinate_at(encoding, level, first + position);
            let coordinate = match rule {
                Rule::Gaps if (0..=widest).contains(&stored) => {
                    previous.unwrap_or(-1).saturating_add(1).saturating_add(stored)
                }
                Rule::Gaps => -1,
                _ => stored,
            };
            // An empty slot has coordinate 0, even if the level has no coordinates.
            let padding = encoding.is_padded(level) && coordinate == 0;
            if !(least..=largest).contains(&coordinate) && !padding {
                return Err(AssembleError::Coordinate {
                    level,
                    position,
                    coordinate: stored,
                    least,
                    largest,
                });
            }
            let disorder = match previous {
                Some(previous) if ordered && unique => coordinate <= previous,
                Some(previous) if ordered => coordinate < previous,
                _ => false,
            };
            if disorder && !alone {
                return Err(AssembleError::Order { level, position, coordinate });
            }
            if unique && !ordered && !alone {
                seen.push((coordinate, position));
            }
            previous = Some(coordinate);
        }
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(&[_, (coordinate, position)]) => {
                Err(AssembleError::Order { level, position, coordinate })
            }
            _ => Ok(()),
        }
    }
}
