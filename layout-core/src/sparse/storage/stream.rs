//! Builds from entries that are in storage order, or are out of order only among those with the same coordinate on the first level,
//! in one pass and without a list of the entries. This is how rows are converted to blocks: the rows of a block row follow one
//! another.

use super::super::element::SparseElement;
use super::super::width::{Coordinate, Position};
use super::blocks::blocks;
use super::keys::Keys;
use super::scatter::scatter;
use super::writer::Writer;
use super::{BuildError, Duplicates, Memory, Parts, Source, Storage, within};
use crate::sparse::SparseEncoding;
use alloc::vec::Vec;

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Stores the entries of a source, of which there must be at most `entries`, without making a list of them; `distinct` says
    /// that no two have the same index. `None` if their order does not allow that, or if there is a mistake, which
    /// [`Storage::build`] reports.
    ///
    /// # Errors
    /// If the encoding cannot store an array of `shape`, or if the arrays are too long for its positions and coordinates.
    pub fn convert<I: AsRef<[usize]> + Copy>(
        encoding: &SparseEncoding,
        shape: &[usize],
        entries: usize,
        distinct: bool,
        source: &dyn Source<I, T>,
        duplicates: Duplicates,
        memory: Memory,
    ) -> Result<Option<Self>, BuildError> {
        let extents = super::extents(encoding, shape)?;
        let keys = Keys::new(encoding, &extents, memory);
        let scattered = scatter::<I, P, C, T>(&keys, shape, entries, source, duplicates);
        let blocked = || match distinct {
            true => blocks::<I, P, C, T>(&keys, shape, entries, source),
            false => None,
        };
        let parts = scattered.or_else(blocked).or_else(|| {
            let levels = extents.len();
            let streams = !encoding.counts()
                && encoding.batch_levels() == 0
                && (0..levels).all(|level| !encoding.tells_apart(level))
                && keys.is_one_group(1..levels);
            let whole = || stream::<I, P, C, T, true>(&keys, shape, entries, source);
            let grouped = || stream::<I, P, C, T, false>(&keys, shape, entries, source);
            if streams { whole().or_else(grouped) } else { None }
        });
        parts.map(|parts| Self::seal(encoding, parts, extents)).transpose()
    }
}

/// Writes entries as they arrive. With `ORDERED` they must be in storage order; otherwise those with the same first coordinate are
/// collected and sorted.
fn stream<
    I: AsRef<[usize]> + Copy,
    P: Position,
    C: Coordinate,
    T: SparseElement,
    const ORDERED: bool,
>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: usize,
    source: &dyn Source<I, T>,
) -> Option<Parts<P, C::Word, T>> {
    let levels = keys.extents.len();
    let writer = Writer::<P, C, T>::new(keys, 0, entries, true).ok()?;
    let mut group = Group { keys, writer, entries: Vec::new(), sorted: true, number: 0 };
    let (mut works, mut outer, mut last) = (true, i64::MIN, 0);
    source.chunks(&mut |chunk| {
        for (index, value) in chunk {
            if !within(index.as_ref(), shape) {
                works = false;
                return false;
            }
            let coordinate = keys.coordinate(0, index.as_ref());
            let key = keys.key(1..levels, index.as_ref());
            works = if ORDERED {
                let follows = coordinate > outer || coordinate == outer && key > last;
                follows && group.write(index.as_ref(), *value).is_ok()
            } else {
                group.sorted &= coordinate != outer || key > last;
                coordinate == outer || coordinate > outer && group.flush().is_some()
            };
            if !ORDERED {
                works &= keys.memory.reserve(&mut group.entries, 1).is_ok();
                group.entries.push((key, *index, *value));
            }
            if !works {
                return false;
            }
            (outer, last) = (coordinate, key);
        }
        true
    });
    if !works || group.flush().is_none() {
        return None;
    }
    let (levels, _, values) = group.writer.finish().ok()?;
    Some(Parts { shape: shape.to_vec(), levels, values })
}

/// Entries with the same coordinate on the first level.
struct Group<'k, I, P, C: Coordinate, T> {
    keys: &'k Keys<'k>,
    writer: Writer<'k, P, C, T>,
    /// Each entry with the key of all other levels.
    entries: Vec<(u64, I, T)>,
    sorted: bool,
    number: usize,
}

impl<I: AsRef<[usize]> + Copy, P: Position, C: Coordinate, T: SparseElement> Group<'_, I, P, C, T> {
    #[inline(always)]
    fn write(&mut self, index: &[usize], value: T) -> Result<(), BuildError> {
        self.number += 1;
        self.writer.push(&self.keys.target(index), self.number - 1, value)
    }

    /// Writes the entries in storage order. `None` if two have the same index, or one cannot be written.
    fn flush(&mut self) -> Option<()> {
        let mut entries = core::mem::take(&mut self.entries);
        if !core::mem::replace(&mut self.sorted, true) {
            entries.sort_by_key(|(key, ..)| *key);
            if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return None;
            }
        }
        for (_, index, value) in &entries {
            self.write(index.as_ref(), *value).ok()?;
        }
        entries.clear();
        self.entries = entries;
        Some(())
    }
}
