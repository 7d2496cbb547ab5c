//! Filling rows in two passes: the first counts their entries, the second stores them.

use super::super::element::SparseElement;
use super::super::width::{Coordinate, Position};
use super::order::filled;
use super::{Duplicates, LevelParts, Memory};
use alloc::vec::Vec;

/// The longest segment that is sorted in place.
const SHORT: usize = 24;

/// The number of bits of the number of a bucket. With so few buckets, the cache lines at the ends of all of them stay in a cache.
const BUCKET_BITS: u32 = 7;

/// The numbers of segments and of entries from which entries go to buckets first: with fewer, the arrays that are written
/// stay in a cache.
const BUCKETS_FROM: (usize, usize) = (1 << 14, 1 << 20);

/// The number of elements by which the arrays are lengthened at a time, when an entry comes after their end: few enough to be in the
/// L1 cache when they are overwritten, and that setting them to zero takes stores and not an instruction that goes past it.
const STEP: usize = 1 << 7;

/// The number of entries of which two are looked at to find out whether consecutive entries are far from each other.
const SAMPLE: usize = 8;

/// The arrays of the last level, and the values.
pub type LastLevel<P, W, T> = (LevelParts<P, W>, Vec<T>);

/// The arrays of a compressed level below full ones, filled in two passes: the first counts the entries of each segment, the
/// second moves each entry to its segment.
///
/// If consecutive entries belong to segments far from each other, each entry would wait for memory. In that case the second pass
/// moves them to buckets, which are ranges of consecutive segments: with 2^20 segments, each of 128 buckets has 8,192. Finally the
/// entries of each bucket, which fit in a cache, are moved to their segments.
pub struct Rows<P, C: Coordinate, T> {
    /// In the first pass, `positions[s + 1]` is the number of entries of segment `s`; in the second, `positions[s]` is the
    /// position of its next entry.
    positions: Vec<P>,
    segments: Segments<C, T>,
    /// The bucket of segment `s` is `s >> shift`.
    shift: u32,
    /// The number of pairs of consecutive entries that were looked at, and of those in different buckets.
    samples: usize,
    jumps: usize,
    buckets: Option<Buckets<P>>,
    memory: Memory,
}

/// The entries in the order of buckets.
struct Buckets<P> {
    /// The position of the next entry of each bucket.
    ends: Vec<P>,
    /// The low bits of the segment of each entry.
    low: Vec<u16>,
}

impl<P: Position, C: Coordinate, T: SparseElement> Rows<P, C, T> {
    /// Starts the first pass for `segments` segments. `None` if memory for them cannot be allocated.
    pub fn new(segments: usize, memory: Memory) -> Option<Self> {
        let positions = filled(memory, segments.checked_add(1)?).ok()?;
        let bits = usize::BITS - segments.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(BUCKET_BITS).min(u16::BITS);
        let segments =
            Segments { coordinates: Vec::new(), values: Vec::new(), pairs: Vec::new(), end: 0 };
        Some(Self { positions, segments, shift, samples: 0, jumps: 0, buckets: None, memory })
    }

    /// Counts entries, given by their segments. There must not be more entries than a position can number.
    #[inline(always)]
    pub fn count(&mut self, segments: &[usize]) {
        let counts = &mut self.positions[1..];
        for segment in segments {
            let count = &mut counts[*segment];
            *count = P::fitting(count.get() + 1);
        }
        for neighbors in segments.chunks_exact(SAMPLE) {
            self.jumps += usize::from(neighbors[0] >> self.shift != neighbors[1] >> self.shift);
        }
        self.samples += segments.len() / SAMPLE;
    }

    /// Starts the second pass. `None` if memory for the entries cannot be allocated.
    pub fn start(&mut self) -> Option<()> {
        let mut end = 0;
        for position in &mut self.positions {
            end += position.get();
            *position = P::fitting(end);
        }
        let Segments { coordinates, values, .. } = &mut self.segments;
        self.memory.reserve_exact(coordinates, end).ok()?;
        self.memory.reserve_exact(values, end).ok()?;
        let (segments, entries) = BUCKETS_FROM;
        if self.positions.len() > segments && end >= entries && self.jumps > self.samples / 2 {
            self.buckets = self.empty_buckets(end);
        }
        // The first entries of all buckets are far from each other.
        if self.buckets.is_some() {
            self.segments.lengthen(end);
        }
        Some(())
    }

    /// Buckets for `entries` entries. `None` if one of them would have more than a quarter of the entries, or if memory cannot
    /// be allocated.
    fn empty_buckets(&self, entries: usize) -> Option<Buckets<P>> {
        let last = self.positions.len() - 1;
        let count = last.div_ceil(1 << self.shift);
        let start = |bucket: usize| self.positions[last.min(bucket << self.shift)];
        let largest = (0..count).map(|bucket| start(bucket + 1).get() - start(bucket).get()).max();
        if largest? > entries / 4 {
            return None;
        }
        let (mut ends, mut low) = (Vec::new(), Vec::new());
        self.memory.reserve_exact(&mut ends, count).ok()?;
        self.memory.reserve_exact(&mut low, entries).ok()?;
        ends.extend((0..count).map(start));
        low.resize(entries, 0);
        Some(Buckets { ends, low })
    }

    /// Appends each entry, given as its segment, its coordinate and its value, to its segment or bucket.
    #[inline(always)]
    pub fn put(&mut self, mut entries: impl Iterator<Item = (usize, i64, T)>) {
        while let Some((at, coordinate, value)) = self.put_within(&mut entries) {
            let last = self.positions.last().map_or(0, |end| end.get());
            self.segments.lengthen(last.min(at.saturating_add(STEP)));
            let Segments { coordinates, values, .. } = &mut self.segments;
            (coordinates[at], values[at]) = (C::word(coordinate), value);
        }
    }

    /// [`Rows::put`] up to the first entry that comes after the end of the arrays, which it returns with its position.
    #[inline(always)]
    fn put_within(
        &mut self,
        entries: &mut impl Iterator<Item = (usize, i64, T)>,
    ) -> Option<(usize, i64, T)> {
        // Local slices, so that the loop does not reload the addresses of the arrays after each entry.
        let Segments { coordinates, values, .. } = &mut self.segments;
        let coordinates = &mut coordinates[..];
        let values = &mut values[..coordinates.len()];
        if let Some(Buckets { ends, low }) = &mut self.buckets {
            let (ends, low, shift) = (&mut ends[..], &mut low[..], self.shift);
            for (segment, coordinate, value) in entries {
                let end = &mut ends[segment >> shift];
                let at = end.get();
                *end = P::fitting(at + 1);
                coordinates[at] = C::word(coordinate);
                values[at] = value;
                low[at] = (segment & ((1 << shift) - 1)) as u16;
            }
            return None;
        }
        let positions = &mut self.positions[..];
        for (segment, coordinate, value) in entries {
            let end = &mut positions[segment];
            let at = end.get();
            *end = P::fitting(at + 1);
            let (Some(word), Some(to)) = (coordinates.get_mut(at), values.get_mut(at)) else {
                return Some((at, coordinate, value));
            };
            (*word, *to) = (C::word(coordinate), value);
        }
        None
    }

    /// Moves the entries of each bucket to their segments. `None` if memory for a copy of a bucket cannot be allocated.
    fn empty(&mut self) -> Option<()> {
        let Some(Buckets { ends, low }) = self.buckets.take() else { return Some(()) };
        let Segments { coordinates, values, .. } = &mut self.segments;
        let (mut words, mut copies) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (positions, end) in self.positions.chunks_mut(1 << self.shift).zip(ends) {
            let range = start..end.get();
            start = range.end;
            let (coordinates, values) =
                (&mut coordinates[range.clone()], &mut values[range.clone()]);
            words.clear();
            copies.clear();
            self.memory.reserve(&mut words, range.len()).ok()?;
            self.memory.reserve(&mut copies, range.len()).ok()?;
            words.extend_from_slice(coordinates);
            copies.extend_from_slice(values);
            for ((low, word), value) in low[range.clone()].iter().zip(&words).zip(&copies) {
                let end = &mut positions[usize::from(*low)];
                let at = end.get() - range.start;
                *end = P::fitting(end.get() + 1);
                (coordinates[at], values[at]) = (*word, *value);
            }
        }
        Some(())
    }

    /// The arrays. The entries of each segment must have been appended in order, and no index may occur twice. `None` if memory
    /// cannot be allocated.
    pub fn finish_sorted(self) -> Option<LastLevel<P, C::Word, T>> {
        let (positions, segments) = self.ended()?;
        let Segments { coordinates, values, .. } = segments;
        Some((LevelParts { positions, coordinates }, values))
    }

    /// Ends the second pass: the position of the next entry of each segment is now its end, where the next segment starts.
    fn ended(mut self) -> Option<(Vec<P>, Segments<C, T>)> {
        self.empty()?;
        let last = self.positions.len() - 1;
        self.segments.lengthen(self.positions[last].get());
        self.positions.copy_within(..last, 1);
        self.positions[0] = P::default();
        Some((self.positions, self.segments))
    }

    /// Sorts the segments that are not in order, and returns the arrays. `None` if an index occurs twice and `duplicates` forbids
    /// that. `Duplicates::Keep` keeps entries with the same index for every encoding.
    pub fn finish(self, duplicates: Duplicates) -> Option<LastLevel<P, C::Word, T>> {
        let (mut positions, mut segments) = self.ended()?;
        let mut start = 0;
        for position in &mut positions[1..] {
            let end = position.get();
            segments.push(start, end, duplicates)?;
            start = end;
            *position = P::fitting(segments.end);
        }
        let Segments { mut coordinates, mut values, end, .. } = segments;
        coordinates.truncate(end);
        values.truncate(end);
        Some((LevelParts { positions, coordinates }, values))
    }
}

/// The coordinates and values of all segments.
struct Segments<C: Coordinate, T> {
    coordinates: Vec<C::Word>,
    values: Vec<T>,
    /// The coordinates and values of one segment while it is sorted.
    pairs: Vec<(i64, T)>,
    /// The end of the segments that are in order.
    end: usize,
}

impl<C: Coordinate, T: SparseElement> Segments<C, T> {
    /// Lengthens both arrays, whose memory has been reserved.
    #[inline(never)]
    fn lengthen(&mut self, len: usize) {
        if len > self.coordinates.len() {
            self.coordinates.resize(len, C::word(0));
            self.values.resize(len, T::ZERO);
        }
    }

    /// Sorts the segment from `start` to `end` and moves it directly after the last one. There is a gap between them if values
    /// have been summed. `None` if an index occurs twice and `duplicates` forbids that.
    fn push(&mut self, start: usize, end: usize, duplicates: Duplicates) -> Option<()> {
        let words = &mut self.coordinates[start..end];
        let strict =
            |words: &[C::Word]| words.windows(2).all(|pair| C::get(pair, 0) < C::get(pair, 1));
        let mut sorted = strict(words);
        if !sorted && words.len() <= SHORT {
            insertion_sort::<C, T>(words, &mut self.values[start..end]);
            sorted = strict(words);
        }
        if sorted {
            if self.end < start {
                self.coordinates.copy_within(start..end, self.end);
                self.values.copy_within(start..end, self.end);
            }
            self.end += end - start;
            return Some(());
        }
        self.pairs.clear();
        self.pairs.try_reserve_exact(end - start).ok()?;
        let coordinates = (0..words.len()).map(|at| C::get(words, at));
        self.pairs.extend(coordinates.zip(self.values[start..end].iter().copied()));
        self.pairs.sort_by_key(|(coordinate, _)| *coordinate);
        for same in self.pairs.chunk_by(|a, b| a.0 == b.0) {
            let sums = match duplicates {
                _ if same.len() == 1 => false,
                Duplicates::Error => return None,
                Duplicates::Keep => false,
                Duplicates::Sum => true,
            };
            let stored = if sums { &same[..1] } else { same };
            for (coordinate, value) in stored {
                self.coordinates[self.end] = C::word(*coordinate);
                self.values[self.end] = *value;
                self.end += 1;
            }
            if sums {
                let sum = same.iter().map(|(_, value)| value.widen()).reduce(T::Wide::plus);
                self.values[self.end - 1] = sum.map_or(T::ZERO, T::narrow);
            }
        }
        Some(())
    }
}

/// Sorts coordinates and their values, and keeps the order of equal coordinates.
fn insertion_sort<C: Coordinate, T: Copy>(words: &mut [C::Word], values: &mut [T]) {
    for next in 1..words.len() {
        let (word, value, coordinate) = (words[next], values[next], C::get(words, next));
        let mut at = next;
        while at > 0 && C::get(words, at - 1) > coordinate {
            (words[at], values[at]) = (words[at - 1], values[at - 1]);
            at -= 1;
        }
        (words[at], values[at]) = (word, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the arrays that [`Rows`] builds from entries of many segments with those of a stable sort.
    fn check(segments: usize, segment: impl Fn(usize) -> usize, buckets: bool) {
        let len = BUCKETS_FROM.1 + 3;
        let coordinate = |n: usize| (n * 7919 % 1000) as i64;
        let mut rows = Rows::<u32, u32, f64>::new(segments, Memory::PLAIN).expect("memory");
        (0..len).map(&segment).collect::<Vec<_>>().chunks(100).for_each(|part| rows.count(part));
        rows.start().expect("memory");
        assert_eq!(rows.buckets.is_some(), buckets);
        rows.put((0..len).map(|n| (segment(n), coordinate(n), n as f64)));
        let (last, values) = rows.finish_sorted().expect("memory");
        let mut sorted: Vec<usize> = (0..len).collect();
        sorted.sort_by_key(|n| segment(*n));
        assert!(values.iter().map(|n| *n as usize).eq(sorted.iter().copied()));
        let coordinates = sorted.iter().map(|n| coordinate(*n) as u32);
        assert!(last.coordinates.iter().copied().eq(coordinates));
        let start = |s: usize| sorted.partition_point(|n| segment(*n) < s) as u32;
        assert!(last.positions.iter().copied().eq((0..=segments).map(start)));
    }

    #[test]
    fn entries_far_from_each_other_go_to_buckets_first() {
        let scattered = |segments: usize| move |n: usize| n.wrapping_mul(0x9E37_79B1) % segments;
        check(40_000, scattered(40_000), true);
        // A number of segments that fills all buckets, and one that leaves a bucket partly filled.
        check(1 << 15, scattered(1 << 15), true);
        check((1 << 15) + 1, scattered((1 << 15) + 1), true);
    }

    #[test]
    fn entries_close_to_each_other_and_uneven_ones_do_not() {
        check(40_000, |n| n / 40, false);
        check(40_000, |n| if n % 2 == 0 { 0 } else { n % 40_000 }, false);
    }
}
