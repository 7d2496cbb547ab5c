use super::{CoordinateMap, LevelCursor, LevelRef, filled};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use alloc::vec::Vec;
use core::ops::Range;

/// The coordinates of a segment in which those of many other segments are looked up, as in a row of a mask.
///
/// An array has a number for each coordinate: one more than its index in the segment, or zero. The segment `2 5 7` makes it
/// `0 0 1 0 0 2 0 3`, in which the coordinates 5 and 7 of `5 6 7` are found, at the indices 1 and 2. So a look-up is a load, and to
/// mark the next segment takes a write for each of its coordinates, and one for each coordinate of the last segment. The array is not made
/// if there are far fewer entries than coordinates; then coordinates are searched for.
pub struct Marks {
    numbers: Vec<u32>,
    /// The segment that is marked.
    segment: Range<usize>,
    /// The segment of the last call that was not marked, and the number of coordinates that were searched for in it.
    searched: (Range<usize>, usize),
    /// The entries that were found, counted from the start of a chunk.
    found: [u32; CHUNK],
}

/// The number of entries that are looked up before any of those found is used.
const CHUNK: usize = 256;

/// The entries of a segment are searched for in another one, instead of looking at all of its entries, if there are this many
/// times fewer.
const FEWER: usize = 16;

/// The number of coordinates for which there may always be an array.
const SMALL: usize = 1 << 16;

/// The largest number of coordinates for each entry for which there is an array.
const SPARSE: usize = 64;

impl Marks {
    /// Marks of segments of a level, none yet.
    ///
    /// # Errors
    /// If memory for them cannot be allocated.
    pub fn new<E: Encoding, const LEVEL: usize>(
        level: LevelRef<'_, E, LEVEL>,
    ) -> Result<Self, KernelError> {
        let pays = level.size() <= SMALL.max(level.positions().saturating_mul(SPARSE));
        let numbers = filled(if pays { level.size() } else { 0 }, 0)?;
        Ok(Self { numbers, segment: 0..0, searched: (0..0, 0), found: [0; CHUNK] })
    }

    /// Calls `f` with the positions of each coordinate that both a segment of the marked level and a segment of another level
    /// have, and the coordinate, in order. The marked level must be the same in all calls, and both must be compressed, in order,
    /// without repetitions.
    ///
    /// # Errors
    /// The first error of `f`.
    ///
    /// # Panics
    /// If there are no such positions.
    #[inline(always)]
    pub fn meet<E: Encoding, const LEVEL: usize, F: Encoding, const OTHER: usize>(
        &mut self,
        (level, segment): (LevelRef<'_, E, LEVEL>, Range<usize>),
        (other, range): (LevelRef<'_, F, OTHER>, Range<usize>),
        mut f: impl FnMut(usize, usize, usize) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        if segment.is_empty() || range.is_empty() {
            return Ok(());
        }
        let few = segment.len() < range.len() / FEWER;
        if few || !self.mark(level, &segment, range.len()) {
            let mut a = LevelCursor::new(level, segment, CoordinateMap::AS_STORED, false);
            let mut b = LevelCursor::new(other, range, CoordinateMap::AS_STORED, false);
            loop {
                let at = a.coordinate().max(b.coordinate());
                if at == i64::MAX {
                    return Ok(());
                }
                a.gallop(at, false);
                b.gallop(at, false);
                if (a.coordinate(), b.coordinate()) == (at, at) {
                    f(a.position(), b.position(), at as usize)?;
                    a.pass(at, false);
                    b.pass(at, false);
                }
            }
        }
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start + CHUNK);
            // Whether an entry is found cannot be predicted, so first all are looked up without a branch.
            let mut count = 0;
            for (position, coordinate) in other.entries(start..end) {
                self.found[count % CHUNK] = (position - start) as u32;
                count +=
                    usize::from(self.numbers.get(coordinate).is_some_and(|number| *number != 0));
            }
            for found in &self.found[..count] {
                let position = start + *found as usize;
                let coordinate = other.coordinate(position);
                f(segment.start + self.numbers[coordinate] as usize - 1, position, coordinate)?;
            }
            start = end;
        }
        Ok(())
    }

    /// The position of a coordinate in a segment of the marked level, which must be the same level in all calls.
    ///
    /// # Panics
    /// If there is no such segment.
    #[inline(always)]
    pub fn find<E: Encoding, const LEVEL: usize>(
        &mut self,
        level: LevelRef<'_, E, LEVEL>,
        segment: &Range<usize>,
        coordinate: usize,
    ) -> Option<usize> {
        if segment.is_empty() {
            return None;
        }
        if self.mark(level, segment, 1) {
            let number = self.numbers.get(coordinate)?.checked_sub(1)?;
            return Some(segment.start + number as usize);
        }
        level.find(segment.clone(), coordinate)
    }

    /// Marks a segment in which further `lookups` follow, if this pays. Returns whether it is marked.
    #[inline(always)]
    fn mark<E: Encoding, const LEVEL: usize>(
        &mut self,
        level: LevelRef<'_, E, LEVEL>,
        segment: &Range<usize>,
        lookups: usize,
    ) -> bool {
        self.segment == *segment || self.mark_anew(level, segment, lookups)
    }

    #[inline(never)]
    fn mark_anew<E: Encoding, const LEVEL: usize>(
        &mut self,
        level: LevelRef<'_, E, LEVEL>,
        segment: &Range<usize>,
        lookups: usize,
    ) -> bool {
        if self.searched.0 != *segment {
            self.searched = (segment.clone(), 0);
        }
        self.searched.1 += lookups;
        let pays = self.searched.1 >= segment.len() / FEWER;
        if self.numbers.is_empty() || !pays || u32::try_from(segment.len()).is_err() {
            return false;
        }
        for (_, coordinate) in level.entries(core::mem::take(&mut self.segment)) {
            self.numbers[coordinate] = 0;
        }
        for (number, (_, coordinate)) in (1..).zip(level.entries(segment.clone())) {
            self.numbers[coordinate] = number;
        }
        self.segment = segment.clone();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::formats::Csr;
    use crate::sparse::{Duplicates, SparseTensor};

    /// A matrix with rows of the given numbers of entries, at coordinates that follow from `seed`.
    fn rows(size: usize, lens: &[usize], seed: usize) -> SparseTensor<Csr, f64> {
        let mut entries = Vec::new();
        for (i, len) in lens.iter().enumerate() {
            entries.extend((0..*len).map(|n| ([i, (n * 7919 + seed * (i + 3)) % size], 1.0)));
        }
        SparseTensor::from_coo([lens.len(), size], &entries, Duplicates::Sum).unwrap()
    }

    #[test]
    fn look_ups_find_what_is_in_both_segments() {
        let lens = [0, 1, 700, 3, 40, 0, 300, 12];
        // The second size is too large for an array.
        for size in [900, 1 << 22] {
            let (a, b) = (rows(size, &lens, 1), rows(size, &lens, 5));
            let (level, other) = (a.level::<1>(), b.level::<1>());
            let mut marks = Marks::new(level).unwrap();
            assert_eq!(marks.numbers.is_empty(), size > 900);
            // Each row of one matrix with the rows of the other in turn, and then with another row each time.
            let pairs = (0..64).map(|n| (n / 8, n % 8)).chain((0..64).map(|n| (n % 8, n / 8)));
            for (row, of) in pairs {
                let (segment, range) = (level.below(row), other.below(of));
                let expected: Vec<_> = (other.entries(range.clone()))
                    .filter_map(|(position, coordinate)| {
                        let mut here = level.entries(segment.clone());
                        let (at, _) = here.find(|(_, found)| *found == coordinate)?;
                        Some((at, position, coordinate))
                    })
                    .collect();
                let mut found = Vec::new();
                let met = marks.meet((level, segment.clone()), (other, range), |a, b, at| {
                    found.push((a, b, at));
                    Ok(())
                });
                assert_eq!((met, &found), (Ok(()), &expected), "rows {row} and {of} of {size}");
                for at in (0..size).step_by(size / 300) {
                    let expected = level.find(segment.clone(), at);
                    assert_eq!(marks.find(level, &segment, at), expected);
                }
            }
        }
    }

    #[test]
    fn an_error_ends_the_look_ups() {
        let a = rows(900, &[300], 1);
        let (level, segment) = (a.level::<1>(), a.level::<1>().below(0));
        let mut marks = Marks::new(level).unwrap();
        let mut calls = 0;
        let error = KernelError::OutOfMemory { values: 7 };
        let met = marks.meet((level, segment.clone()), (level, segment), |_, _, _| {
            calls += 1;
            if calls == 5 { Err(error.clone()) } else { Ok(()) }
        });
        assert_eq!((met, calls), (Err(error), 5));
    }
}
