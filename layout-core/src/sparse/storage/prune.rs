//! Pruning: of each group of entries, those of largest magnitude are stored.
//!
//! A group has the same coordinates on all levels but the last. In `(i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])`, the
//! elements (0, 4), (0, 5), (0, 6) and (0, 7) are one. Of the values `1 -4 2 3`, the second and the last are stored.

use super::super::element::SparseElement;
use super::super::width::{Coordinate, Position};
use super::keys::{Keys, Target};
use super::order::{Order, reserve};
use super::{BuildError, Chunks, Duplicates, Memory, OnChunk, Source, Storage, extents};
use crate::sparse::SparseEncoding;
use alloc::vec::Vec;

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Stores the `n` entries of largest magnitude of each group of a source, in which no two have the same index, without making a list
    /// of them. NaN counts as the largest, and of equal values the first ones are stored. `None` if the order of the entries does not
    /// allow that, or if there is a mistake, which [`Storage::build_pruned`] reports.
    ///
    /// # Errors
    /// If the encoding cannot store an array of `shape`, or if the arrays are too long for its positions and coordinates.
    pub fn prune<I: AsRef<[usize]> + Copy + Default>(
        encoding: &SparseEncoding,
        shape: &[usize],
        entries: usize,
        source: &dyn Source<I, T>,
        n: usize,
        memory: Memory,
    ) -> Result<Option<Self>, BuildError> {
        let extents = extents(encoding, shape)?;
        let keys = Keys::new(encoding, &extents, memory);
        // If the entries of a group are apart, more than `n` may be left. These are a mistake, or not in storage order.
        let pruned = Pruned { keys: &keys, source, n };
        let outer = &extents[..extents.len().saturating_sub(1)];
        let groups = outer.iter().fold(1, |groups: usize, outer| groups.saturating_mul(outer.size));
        let entries = entries.min(groups.saturating_mul(n));
        Self::convert(encoding, shape, entries, true, &pruned, Duplicates::Error, memory)
    }
}

/// The entries of a source without those that are not among the `n` largest of consecutive entries of a group.
struct Pruned<'a, I, T> {
    keys: &'a Keys<'a>,
    source: &'a dyn Source<I, T>,
    n: usize,
}

impl<I, T> Source<I, T> for Pruned<'_, I, T>
where
    I: AsRef<[usize]> + Copy + Default,
    T: SparseElement,
{
    fn chunks(&self, f: &mut OnChunk<'_, I, T>) {
        let (mut kept, mut group, mut of) = (Chunks::new(f), Group::new(self.n), None);
        self.source.chunks(&mut |entries| {
            for entry in entries {
                let this = Some(self.keys.group(entry.0.as_ref()));
                if of != this {
                    group.finish(&mut kept);
                    of = this;
                }
                group.entries.push(*entry);
                if !kept.wanted() {
                    break;
                }
            }
            kept.wanted()
        });
        group.finish(&mut kept);
        kept.finish();
    }
}

/// The entries of a group.
struct Group<I, T> {
    entries: Vec<(I, T)>,
    largest: Largest,
    n: usize,
}

impl<I: Copy + Default, T: SparseElement> Group<I, T> {
    fn new(n: usize) -> Self {
        Self { entries: Vec::new(), largest: Largest::default(), n }
    }

    /// Passes on the largest entries, and forgets the others.
    fn finish(&mut self, kept: &mut Chunks<'_, '_, I, T>) {
        let entries = &self.entries;
        for at in self.largest.of(entries.len(), self.n, |at| entries[at].1) {
            let (index, value) = entries[*at];
            kept.push(index, value);
        }
        self.entries.clear();
    }
}

/// The largest entries of a group; memory to find them.
#[derive(Default)]
struct Largest {
    positions: Vec<usize>,
}

impl Largest {
    /// The positions of the `n` of `len` values that have the largest magnitude, in ascending order.
    fn of<T: SparseElement>(
        &mut self,
        len: usize,
        n: usize,
        value: impl Fn(usize) -> T,
    ) -> &[usize] {
        self.positions.clear();
        self.positions.extend(0..len);
        if len > n {
            self.positions.sort_by(|a, b| value(*b).cmp_magnitude(&value(*a)));
            self.positions.truncate(n);
            self.positions.sort_unstable();
        }
        &self.positions
    }
}

/// The order without the entries that are not among the `n` largest of their group.
pub(super) fn pruned<'a, N: Position, T: SparseElement>(
    keys: &Keys<'_>,
    order: &Order<N>,
    n: usize,
    index: impl Fn(usize) -> &'a [usize],
    value: impl Fn(usize) -> T,
) -> Result<Order<N>, BuildError> {
    let mut kept = Vec::new();
    reserve(&mut kept, order.len())?;
    let (mut start, mut largest) = (0, Largest::default());
    let group = |at: usize| -> Target { keys.group(index(order.number(at))) };
    while start < order.len() {
        let this = group(start);
        let end = (start + 1..order.len()).find(|at| group(*at) != this).unwrap_or(order.len());
        let number = |at: &usize| order.number(start + at);
        let of_group = largest.of(end - start, n, |at| value(number(&at)));
        kept.extend(of_group.iter().map(|at| N::fitting(number(at))));
        start = end;
    }
    Ok(Order::of(kept, keys.memory))
}
