//! Building an encoding that stores rows: full levels, then a compressed one. Entries in any order are counted and then moved
//! to their segments, without an intermediate copy.
//!
//! The entries (1, 5), (0, 4) and (1, 2) of a matrix of two rows are one in row 0 and two in row 1, so the positions are `0 1 3`.
//! They are moved to the positions 1, 0 and 2, and then row 1 is sorted: the coordinates are `4 2 5`.

use super::super::element::SparseElement;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::keys::Keys;
use super::rows::{LastLevel, Rows};
use super::{Duplicates, LevelParts, Memory, Parts, Source, within};
use alloc::vec::Vec;

/// The number of entries that are handled together.
const BATCH: usize = 256;

/// The number of the last level, if it is a compressed level with one coordinate per word, and all levels above it are dense.
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

/// Stores the entries of a source, of which there must be at most `entries`. `None` if the encoding does not store rows, or if
/// there is a mistake, which the general builder then reports.
pub(super) fn scatter<I: AsRef<[usize]>, P: Position, C: Coordinate, T: SparseElement>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: usize,
    source: &dyn Source<I, T>,
    duplicates: Duplicates,
) -> Option<Parts<P, C::Word, T>> {
    let level = rows::<C>(keys)?;
    let segments = usize::try_from(keys.largest(0..level)).ok()?.checked_add(1)?;
    // The positions must have the width that the encoding names.
    if keys.encoding.draft().position_bits != P::BITS
        || keys.extents[..level].iter().any(|extent| extent.size == 0)
    {
        return None;
    }
    let duplicates = match duplicates {
        Duplicates::Keep if !keys.encoding.keeps() => Duplicates::Error,
        duplicates => duplicates,
    };
    let input = Input { entries, source, segments, duplicates, memory: keys.memory };
    let whole = |level| keys.bits(level).filter(|bits| bits.is_whole()).map(|bits| bits.dim);
    let (last, values) = match (level, whole(0), whole(level)) {
        // The common case: the index itself consists of the segment and the coordinate.
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
    /// The largest possible number of entries.
    entries: usize,
    source: &'a dyn Source<I, T>,
    segments: usize,
    duplicates: Duplicates,
    memory: Memory,
}

impl<I: AsRef<[usize]>, T: SparseElement> Input<'_, I, T> {
    /// Stores the entries; `locate` computes the segment of an index and the coordinate there, or `None` out of bounds.
    fn fill<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)> + Copy,
    ) -> Option<LastLevel<P, C::Word, T>> {
        match self.append::<P, C>(locate) {
            Some(appended) => Some(appended),
            None => self.scatter::<P, C>(locate),
        }
    }

    /// Appends the entries one by one. Returns `None` at the first entry that does not follow its predecessor in storage order; in
    /// unsorted input, such an entry is found after a few.
    fn append<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)>,
    ) -> Option<LastLevel<P, C::Word, T>> {
        P::new(self.entries)?;
        let (mut positions, mut coordinates, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let memory = self.memory;
        memory.reserve_exact(&mut positions, self.segments.checked_add(1)?).ok()?;
        memory.reserve_exact(&mut coordinates, self.entries).ok()?;
        memory.reserve_exact(&mut values, self.entries).ok()?;
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

    /// Counts the entries of each segment, and then moves each entry to its segment.
    fn scatter<P: Position, C: Coordinate>(
        &self,
        locate: impl Fn(&[usize]) -> Option<(usize, i64)>,
    ) -> Option<LastLevel<P, C::Word, T>> {
        let mut rows = Rows::<P, C, T>::new(self.segments, self.memory)?;
        let (mut entries, mut inside) = (0usize, true);
        // The segments of a batch of entries are computed before the entries are counted or moved. The second loop then does
        // little else than access memory, and the CPU waits for many entries at the same time.
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
                rows.count(&to[..batch.len()]);
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
                    // The indices are within bounds: the first pass has checked all of them.
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
