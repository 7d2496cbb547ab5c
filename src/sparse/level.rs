#![allow(unsafe_code, reason = "positions were checked when the tensor was made")]

use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use crate::cpu::prefetch_element;
use crate::require::require;
use core::ops::Range;
use layout_core::sparse::storage::Rule;
use layout_core::sparse::{Coordinate, Position};

/// One level of a tensor, for hand-written loops: its segments and their coordinates.
///
/// A **position** is the number of an element of a level. Above the first level there is the single position 0; position `p` of
/// the last level has the value `values()[p]`.
///
/// ```
/// # use tensor_layout::sparse::{Encoded, SparseTensor, types::*};
/// # type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), u32, u32>;
/// fn product(matrix: &SparseTensor<Csr, f64>, x: &[f64]) -> Vec<f64> {
///     let (columns, values) = (matrix.level::<1>(), matrix.values());
///     let row = |i| columns.entries(columns.below(i)).map(|(p, j)| values[p] * x[j]).sum();
///     (0..matrix.shape()[0]).map(row).collect()
/// }
/// # let matrix = SparseTensor::from_dense([2, 2], &[1.0, 2.0, 0.0, 4.0]).unwrap();
/// # assert_eq!(product(&matrix, &[10.0, 1.0]), [12.0, 4.0]);
/// ```
pub struct LevelRef<'a, E: Encoding, const LEVEL: usize> {
    positions: &'a [E::Position],
    words: &'a [Word<E>],
    size: usize,
    least: i64,
    /// The number of positions of the level above, and of this level, in one batch.
    above: usize,
    count: usize,
    batches: usize,
}

impl<E: Encoding, const LEVEL: usize> Clone for LevelRef<'_, E, LEVEL> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Encoding, const LEVEL: usize> Copy for LevelRef<'_, E, LEVEL> {}

impl<E: Encoding, T> SparseTensor<E, T> {
    /// Level `LEVEL`. Does not compile if there is no such level.
    #[inline]
    pub fn level<const LEVEL: usize>(&self) -> LevelRef<'_, E, LEVEL> {
        let home = const {
            require(LEVEL < E::SPEC.levels().len(), "the encoding has fewer levels");
            E::SPEC.home(LEVEL)
        };
        let storage = &self.storage;
        LevelRef {
            positions: &storage.parts.levels[LEVEL].positions,
            words: &storage.parts.levels[home.level].coordinates,
            size: storage.extents[LEVEL].size,
            least: storage.extents[LEVEL].least,
            above: if LEVEL == 0 { 1 } else { storage.counts[LEVEL - 1] },
            count: storage.counts[LEVEL],
            batches: storage.batches,
        }
    }
}

impl<'a, E: Encoding, const LEVEL: usize> LevelRef<'a, E, LEVEL> {
    const RULE: Rule = Rule::of(&E::SPEC, LEVEL);
    const STRIDE: usize = E::SPEC.home(LEVEL).stride;
    const OFFSET: usize = E::SPEC.home(LEVEL).offset;
    /// Whether the level stores the coordinates themselves instead of gaps.
    const STORED: bool =
        E::SPEC.levels()[LEVEL].format.has_coordinates() && !matches!(Self::RULE, Rule::Gaps);
    pub(crate) const ORDERED: bool = Self::STORED
        && !E::SPEC.levels()[LEVEL].properties.nonordered
        && !matches!(Self::RULE, Rule::Same);
    /// Whether each position is below one of the level above, so that its coordinate was checked when the tensor was made.
    pub(super) const COVERED: bool =
        matches!(Self::RULE, Rule::Segment | Rule::Same | Rule::Fixed(_))
            && !E::SPEC.is_padded(LEVEL)
            && E::SPEC.batch_levels() == 0;

    /// The number of coordinates that the level can have.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The smallest coordinate, which is negative for diagonals.
    #[inline(always)]
    pub fn least(&self) -> i64 {
        self.least
    }

    /// The positions below position `above` of the level above.
    ///
    /// # Panics
    /// If there is no such position and the level has an array of positions.
    #[inline(always)]
    pub fn below(&self, above: usize) -> Range<usize> {
        let batch_levels = const { E::SPEC.batch_levels() };
        if batch_levels == 0 || LEVEL < batch_levels {
            return Self::RULE.below(self.positions, self.size, above);
        }
        // Each batch starts from one position, and has its own part of the array.
        let (batch, above) = match LEVEL == batch_levels {
            true => (above, 0),
            false => (above / self.above.max(1), above % self.above.max(1)),
        };
        let length = self.positions.len() / self.batches.max(1);
        let positions = match Self::RULE.has_positions() {
            true => &self.positions[batch * length..][..length],
            false => self.positions,
        };
        let Range { start, end } = Self::RULE.below(positions, self.size, above);
        batch * self.count + start..batch * self.count + end
    }

    /// The positions below position `above` of the level above, all of which have coordinates. For covered levels only.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline(always)]
    pub(super) fn covered(&self, above: usize) -> Range<usize> {
        const { require(Self::COVERED, "positions may be between segments") }
        assert!(above < self.above, "there is no such position");
        let Rule::Segment = Self::RULE else {
            return Self::RULE.below(self.positions, self.size, above);
        };
        // SAFETY: the array has one element more than the level above has positions.
        let bound = |at: usize| unsafe { self.positions.get_unchecked(at) }.get();
        bound(above)..bound(above + 1)
    }

    /// The coordinate at a position of a level that stores coordinates. A negative coordinate wraps around to a large number.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline(always)]
    pub fn coordinate(&self, position: usize) -> usize {
        const { require(Self::STORED, "the level stores no coordinates") }
        E::Coordinate::get(self.words, position * Self::STRIDE + Self::OFFSET) as usize
    }

    /// The coordinates at some positions of a level that stores coordinates.
    ///
    /// # Panics
    /// If there are no such positions.
    #[cfg_attr(
        not(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64"))),
        expect(dead_code, reason = "only products from panels read them")
    )]
    #[inline(always)]
    pub(crate) fn stored(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = i64> + use<'a, E, LEVEL> {
        const { require(Self::STORED, "the level stores no coordinates") }
        E::Coordinate::segment(self.words, range, Self::STRIDE, Self::OFFSET)
    }

    /// Prefetches the coordinate at a position, and those next to it.
    #[inline(always)]
    pub(crate) fn ask(&self, position: usize) {
        let at = position * Self::STRIDE + Self::OFFSET;
        prefetch_element(self.words, at / const { E::Coordinate::PER_WORD });
    }

    /// The coordinate at a position, if there is one and it was checked.
    #[inline(always)]
    pub(crate) fn coordinate_ahead(&self, position: usize) -> Option<usize> {
        let checked = const { Self::COVERED && Self::STORED && !E::Coordinate::SIGNED };
        // Not `coordinate`, which does not compile for levels of gaps even if it is never called.
        (checked && position < self.count).then(|| self.next_coordinate(-1, position) as usize)
    }

    /// Prefetches the start of the segment below position `above` of the level above.
    #[inline(always)]
    pub(crate) fn ask_below<T>(&self, above: usize, values: &[T]) {
        if let (Rule::Segment, Some(start)) = (Self::RULE, self.positions.get(above)) {
            prefetch_element(self.words, start.get());
            prefetch_element(values, start.get());
        }
    }

    /// The coordinate at a position that follows a position with the coordinate `previous`, which is -1 at the start of a
    /// segment. Only levels of gaps use `previous`.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline(always)]
    pub(crate) fn next_coordinate(&self, previous: i64, position: usize) -> i64 {
        let word = E::Coordinate::get(self.words, position * Self::STRIDE + Self::OFFSET);
        match Self::RULE {
            Rule::Gaps => previous + 1 + word,
            _ => word,
        }
    }

    /// Positions with their coordinates. If the level stores gaps, `range` must start at the start of a segment.
    ///
    /// # Panics
    /// If there are no such positions.
    #[inline(always)]
    pub fn entries(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a, E, LEVEL> {
        const {
            require(
                E::SPEC.levels()[LEVEL].format.has_coordinates(),
                "the level stores no coordinates",
            )
        }
        let words = E::Coordinate::segment(self.words, range.clone(), Self::STRIDE, Self::OFFSET);
        let mut coordinate = -1;
        range.zip(words.map(move |word| {
            coordinate = match Self::RULE {
                Rule::Gaps => coordinate + 1 + word,
                _ => word,
            };
            coordinate as usize
        }))
    }

    /// The first position of `range` that has `coordinate`. Uses a binary search if the level is ordered.
    ///
    /// # Panics
    /// If there are no such positions.
    #[inline]
    pub fn find(&self, range: Range<usize>, coordinate: usize) -> Option<usize> {
        if const { !Self::ORDERED } {
            let mut entries = self.entries(range);
            return entries.find(|(_, found)| *found == coordinate).map(|(position, _)| position);
        }
        let (mut start, mut end) = (range.start, range.end);
        while start < end {
            let middle = start + (end - start) / 2;
            if (self.coordinate(middle) as i64) < coordinate as i64 {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        (start < range.end && self.coordinate(start) == coordinate).then_some(start)
    }

    /// The end of the group of equal coordinates that starts at `position`: the first later position with another coordinate, or
    /// `end`.
    ///
    /// # Panics
    /// If there are no such positions.
    #[inline(always)]
    pub fn group(&self, position: usize, end: usize) -> usize {
        let coordinate = self.coordinate(position);
        (position + 1..end).find(|other| self.coordinate(*other) != coordinate).unwrap_or(end)
    }

    /// The number of positions, for encodings without batches.
    pub(crate) fn positions(&self) -> usize {
        self.count
    }

    pub(super) fn words(&self) -> &'a [Word<E>] {
        self.words
    }
}
