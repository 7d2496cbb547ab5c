//! Building an encoding that stores rows: full levels, then a compressed one. Entries in any order are counted, and put into
//! the segments where they belong, without a copy of them in between.

use super::super::element::SparseElement;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::keys::Keys;
use super::order::filled;
use super::{Duplicates, LevelParts, Parts, Source, within};
use alloc::vec::Vec;

/// The number of entries that are looked at together.
const BATCH: usize = 256;

/// The longest segment that is sorted in place.
const SHORT: usize = 24;

/// The level of the segments, if `keys` are those of full levels and a compressed one with one coordinate to a word.
fn rows<C: Coordinate>(keys: &Keys<'_>) -> Option<usize> {
    let levels = keys.encoding.levels();
    let (last, above) = levels.split_last()?;
    let full = above.iter().all(|level| matches!(level.format, LevelFormat::Dense));
    let bits = keys.encoding.draft().coordinate_bits;
    let words = C::PER_WORD == 1 && bits == C::BITS;
    let stored = last.format == LevelFormat::Compressed && !keys.encoding.counts();
    let rows = stored && words && full && !above.is_empty() && keys.is_one_group(0..above.len());
    rows.then_some(above.len())
}

/// Stores the entries of a source, `entries` at most, if the encoding is one of rows and all goes well. `None` otherwise: what
/// builds any encoding says what is wrong.
pub(super) fn scatter<I: AsRef<[usize]>, P: Position, C: Coordinate, T: SparseElement>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: usize,
    source: &dyn Source<I, T>,
    duplicates: Duplicates,
) -> Option<Parts<P, C::Word, T>> {
    let level = rows::<C>(keys)?;
    let segments = usize::try_from(keys.largest(0..level)).ok()?.checked_add(1)?;
    // The array of positions must be the one that the encoding asks for.
    if keys.encoding.draft().position_bits != P::BITS
        || keys.extents[..level].iter().any(|extent| extent.size == 0)
    {
        return None;
    }
    let duplicates = match duplicates {
        Duplicates::Keep if !keys.encoding.keeps() => Duplicates::Error,
        duplicates => duplicates,
    };
    let input = Input { entries, source, segments, duplicates };
    let whole = |level| keys.bits(level).filter(|bits| bits.is_whole()).map(|bits| bits.dim);
    let (last, values) = match (level, whole(0), whole(level)) {
        // Most encodings of rows: an index is the segment and the coordinate.
        (1, Some(i), Some(j)) => {
            let (rows, columns) = (shape[i], shape[j]);
            input.fill::<P, C>(|index| {
                let (i, j) = (*index.get(i)?, *index.get(j)?);
                (index.len() == 2 && i < rows && j < columns).then_some((i, j as i64))
            })
        }
        _ => input.fill::<P, C>(|index| {
            let locate = || (keys.key(0..level, index) as usize, keys.coordinate(level, index));
            within(index, shape).then(locate)
        }),
    }?;
    let mut levels = Vec::new();
    levels.resize_with(level, LevelParts::default);
    levels.push(last);
    Some(Parts { shape: shape.to_vec(), levels, values })
}

/// Entries that become segments.
struct Input<'a, I, T> {
    /// How many there are at most.
    entries: usize,
    source: &'a dyn Source<I, T>,
    segments: usize,
    duplicates: Duplicates,
}

impl<I: AsRef<[usize]>, T: SparseElement> Input<'_, I, T> {
    /// Stores the entries; `locate` gives the segment of an index and the coordinate there, and `None` out of bounds.
    fn fill<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)> + Copy,
    ) -> Option<LastLevel<P, C::Word, T>> {
        match self.append::<P, C>(locate) {
            Some(appended) => Some(appended),
            None => self.scatter::<P, C>(locate),
        }
    }

    /// Appends the entries one by one. `None` as soon as one does not follow the one before in storage order: in entries
    /// without order that is one of the first.
    fn append<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)>,
    ) -> Option<LastLevel<P, C::Word, T>> {
        P::new(self.entries)?;
        let (mut positions, mut coordinates, mut values) = (Vec::new(), Vec::new(), Vec::new());
        positions.try_reserve_exact(self.segments.checked_add(1)?).ok()?;
        coordinates.try_reserve_exact(self.entries).ok()?;
        values.try_reserve_exact(self.entries).ok()?;
        positions.push(P::default());
        // The segment and the coordinate of the last entry.
        let (mut last, mut before) = (0, i64::MIN);
        let mut follows = true;
        let mut words = [C::word(0); BATCH];
        self.source.chunks(&mut |chunk| {
            for batch in chunk.chunks(BATCH) {
                for (at, ((index, _), word)) in batch.iter().zip(&mut words).enumerate() {
                    let Some((segment, coordinate)) = locate(index.as_ref()) else {
                        follows = false;
                        return false;
                    };
                    if segment != last {
                        follows = segment > last;
                        for _ in last..segment {
                            positions.push(P::fitting(values.len() + at));
                        }
                        last = segment;
                    } else {
                        follows = coordinate > before;
                    }
                    if !follows {
                        return false;
                    }
                    before = coordinate;
                    *word = C::word(coordinate);
                }
                coordinates.extend_from_slice(&words[..batch.len()]);
                values.extend(batch.iter().map(|(_, value)| *value));
            }
            true
        });
        if !follows {
            return None;
        }
        positions.resize(self.segments + 1, P::fitting(values.len()));
        coordinates.shrink_to_fit();
        values.shrink_to_fit();
        Some((LevelParts { positions, coordinates }, values))
    }

    /// Counts the entries of each segment, and then puts each entry where it belongs.
    fn scatter<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)>,
    ) -> Option<LastLevel<P, C::Word, T>> {
        let mut rows = Rows::<P, C, T>::new(self.segments)?;
        let (mut entries, mut inside) = (0usize, true);
        // Where entries go is computed for some of them before they are counted or moved: then the CPU has little else to do
        // while it waits for memory, and waits for many entries at the same time.
        let mut to = [0; BATCH];
        let mut at = [0; BATCH];
        self.source.chunks(&mut |chunk| {
            entries += chunk.len();
            inside &= P::new(entries).is_some();
            for batch in chunk.chunks(BATCH) {
                for ((index, _), to) in batch.iter().zip(&mut to) {
                    let located = locate(index.as_ref());
                    inside &= located.is_some();
                    *to = located.map_or(0, |(segment, _)| segment);
                }
                if !inside {
                    return false;
                }
                rows.count(to[..batch.len()].iter().copied());
            }
            true
        });
        if !inside {
            return None;
        }
        rows.start()?;
        self.source.chunks(&mut |chunk| {
            for batch in chunk.chunks(BATCH) {
                for ((index, _), (to, at)) in batch.iter().zip(to.iter_mut().zip(&mut at)) {
                    // They are within bounds, as all were counted.
                    (*to, *at) = locate(index.as_ref()).unwrap_or_default();
                }
                let moved = batch.iter().zip(to.iter().zip(&at));
                rows.put(moved.map(|((_, value), (to, at))| (*to, *at, *value)));
            }
            true
        });
        rows.finish(self.duplicates)
    }
}

/// The arrays of the last level, and the values.
pub type LastLevel<P, W, T> = (LevelParts<P, W>, Vec<T>);

/// The arrays of a compressed level below full ones, filled in two passes: the first counts the entries of each segment, the
/// second puts each where it belongs.
pub struct Rows<P, C: Coordinate, T> {
    /// At first, `positions[s + 1]` is the number of entries of segment `s`; then `positions[s]` is where its next entry goes.
    positions: Vec<P>,
    segments: Segments<C, T>,
}

impl<P: Position, C: Coordinate, T: SparseElement> Rows<P, C, T> {
    /// So many segments. `None` if there is no memory for them.
    pub fn new(segments: usize) -> Option<Self> {
        let positions = filled(segments.checked_add(1)?).ok()?;
        let segments =
            Segments { coordinates: Vec::new(), values: Vec::new(), pairs: Vec::new(), end: 0 };
        Some(Self { positions, segments })
    }

    /// Counts entries by their segments. There must not be more than positions can number.
    #[inline(always)]
    pub fn count(&mut self, entries: impl Iterator<Item = usize>) {
        let counts = &mut self.positions[1..];
        for segment in entries {
            let count = &mut counts[segment];
            *count = P::fitting(count.get() + 1);
        }
    }

    /// Starts the second pass. `None` if there is no memory for the entries.
    pub fn start(&mut self) -> Option<()> {
        let mut end = 0;
        for position in &mut self.positions {
            end += position.get();
            *position = P::fitting(end);
        }
        let Segments { coordinates, values, .. } = &mut self.segments;
        coordinates.try_reserve_exact(end).ok()?;
        values.try_reserve_exact(end).ok()?;
        coordinates.resize(end, C::word(0));
        values.resize(end, T::ZERO);
        Some(())
    }

    /// Puts entries, each as its segment, its coordinate and its value, behind the others of their segments.
    #[inline(always)]
    pub fn put(&mut self, entries: impl Iterator<Item = (usize, i64, T)>) {
        // Slices of their own, so that the loop need not ask after each entry where the arrays are.
        let Segments { coordinates, values, .. } = &mut self.segments;
        let (coordinates, values) = (&mut coordinates[..], &mut values[..]);
        let positions = &mut self.positions[..];
        for (segment, coordinate, value) in entries {
            let end = &mut positions[segment];
            let at = end.get();
            *end = P::fitting(at + 1);
            coordinates[at] = C::word(coordinate);
            values[at] = value;
        }
    }

    /// The arrays, if the entries of each segment were put in order and no index occurs twice.
    pub fn finish_sorted(self) -> LastLevel<P, C::Word, T> {
        let Self { positions, segments } = self.ended();
        let Segments { coordinates, values, .. } = segments;
        (LevelParts { positions, coordinates }, values)
    }

    /// Each segment ends where the next one starts.
    fn ended(mut self) -> Self {
        let last = self.positions.len() - 1;
        self.positions.copy_within(..last, 1);
        self.positions[0] = P::default();
        self
    }

    /// Sorts the segments that are not in order. `None` if an index occurs twice and must not. Entries with the same index are
    /// kept if `duplicates` says so, whatever the encoding.
    pub fn finish(self, duplicates: Duplicates) -> Option<LastLevel<P, C::Word, T>> {
        let Self { mut positions, mut segments } = self.ended();
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
    /// Those of one segment, while they are sorted.
    pairs: Vec<(i64, T)>,
    /// Where the segments end that are in order.
    end: usize,
}

impl<C: Coordinate, T: SparseElement> Segments<C, T> {
    /// Sorts the segment from `start` to `end`, and moves it to behind the last one, from which it is apart where values
    /// were summed. `None` if an index occurs twice and must not.
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
