//! Changes of single elements, merged with a tensor all at once.

use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::width::{Coordinate, Position};
use super::{BuildError, Cursor, Duplicates, Memory, Storage};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A change of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written<T> {
    /// It gets this value.
    Set(T),
    /// This is added to it.
    Add(T),
}

impl<T: SparseElement> Written<T> {
    /// The value of the element after the change.
    pub fn applied(self, value: T) -> T {
        match self {
            Self::Set(value) => value,
            Self::Add(more) => T::narrow(value.widen().plus(more.widen())),
        }
    }
}

/// Changes of elements by their indices.
type Changes<I, T> = Vec<(I, Written<T>)>;

impl SparseEncoding {
    /// The order of changes: that of their elements in storage, and of those with the same coordinates on all levels by index.
    fn order_of_changes(&self, a: &[usize], b: &[usize]) -> Ordering {
        self.storage_order(a, b).then_with(|| a.cmp(b))
    }
}

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Stores elements that are not stored yet: of the changes of one element, in their order, the first one finds a zero. Takes
    /// time O(n + k log k) for `k` changes and `n` entries. After an error the tensor is unchanged.
    ///
    /// The indices must be within bounds.
    ///
    /// # Errors
    /// If the encoding cannot store the elements together with the entries.
    pub fn insert<I: AsRef<[usize]>>(
        &mut self,
        encoding: &SparseEncoding,
        changes: Changes<I, T>,
        memory: Memory,
    ) -> Result<(), BuildError> {
        if changes.is_empty() {
            return Ok(());
        }
        let changes = Changed::new(encoding, changes);
        let entries: Vec<(&[usize], T)> = (0..changes.firsts.len())
            .map(|element| (changes.index(element), changes.applied(element, T::ZERO)))
            .collect();
        let new = Self::build(encoding, self.shape(), &entries, Duplicates::Error, memory)?;
        // Zeros that the encoding stores are stored in both, and only one of the two can be an entry.
        self.merge(encoding, new, |a, b| if a.is_zero() { b } else { a }, memory)
    }

    /// Changes the elements that are stored, in one pass over all entries, and returns the other changes. Of several entries at
    /// one index, one gets the value, and the others become zero if it is set.
    ///
    /// Takes time O(n + k log k) for `k` changes and `n` entries, if these are stored in the order of the levels.
    pub fn change_stored<I: AsRef<[usize]>>(
        &mut self,
        encoding: &SparseEncoding,
        changes: Changes<I, T>,
    ) -> Changes<I, T> {
        let mut changes = Changed::new(encoding, changes);
        let stored = self.stored_positions(encoding, &changes);
        for (element, positions) in stored.iter().enumerate() {
            let Some((first, others)) = positions.split_first() else { continue };
            if changes.sets(element) {
                others.iter().for_each(|other| self.parts.values[*other] = T::ZERO);
            }
            let value = &mut self.parts.values[*first];
            *value = changes.applied(element, *value);
        }
        changes.retain(|element| stored[element].is_empty());
        changes.sorted
    }

    /// The positions of the entries of each changed element, first the one that gets its value.
    fn stored_positions<I: AsRef<[usize]>>(
        &self,
        encoding: &SparseEncoding,
        changes: &Changed<I, T>,
    ) -> Vec<Vec<usize>> {
        let mut stored = Vec::new();
        stored.resize_with(changes.firsts.len(), Vec::new);
        let is_zero = |position: usize| self.parts.values[position].is_zero();
        let mut cursor = Cursor::new(encoding, self);
        let mut near = 0;
        while let Some(position) = cursor.next_position() {
            let Some(index) = cursor.index() else { continue };
            // An empty slot of a row also has a coordinate, but is not an entry.
            if encoding.counts() && is_zero(position) {
                continue;
            }
            let order = |element: usize| encoding.order_of_changes(changes.index(element), &index);
            near = first_from(near, stored.len(), |element| order(element).is_lt());
            if near == stored.len() || order(near).is_ne() {
                continue;
            }
            let positions = &mut stored[near];
            positions.push(position);
            // Zeros that the encoding adds can be stored before the given values.
            if encoding.repeats_fill() && is_zero(positions[0]) && !is_zero(position) {
                let last = positions.len() - 1;
                positions.swap(0, last);
            }
        }
        stored
    }
}

/// Changes in storage order, those of one element in the order in which they were made.
struct Changed<I, T> {
    sorted: Changes<I, T>,
    /// The position of the first change of each element.
    firsts: Vec<usize>,
}

impl<I: AsRef<[usize]>, T: SparseElement> Changed<I, T> {
    fn new(encoding: &SparseEncoding, changes: Changes<I, T>) -> Self {
        let mut sorted = changes;
        // A stable sort keeps the order of the changes of one element.
        sorted.sort_by(|(a, _), (b, _)| encoding.order_of_changes(a.as_ref(), b.as_ref()));
        let is_first = |at: &usize| *at == 0 || sorted[at - 1].0.as_ref() != sorted[*at].0.as_ref();
        let firsts = (0..sorted.len()).filter(is_first).collect();
        Self { sorted, firsts }
    }

    fn index(&self, element: usize) -> &[usize] {
        self.sorted[self.firsts[element]].0.as_ref()
    }

    /// The changes of an element.
    fn of(&self, element: usize) -> &[(I, Written<T>)] {
        let end = self.firsts.get(element + 1).copied().unwrap_or(self.sorted.len());
        &self.sorted[self.firsts[element]..end]
    }

    /// The value of an element after its changes.
    fn applied(&self, element: usize, value: T) -> T {
        self.of(element).iter().fold(value, |value, (_, written)| written.applied(value))
    }

    fn sets(&self, element: usize) -> bool {
        self.of(element).iter().any(|(_, written)| matches!(written, Written::Set(_)))
    }

    /// Removes the changes of the elements that `keep` refuses.
    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let starts = core::mem::take(&mut self.firsts);
        let (mut at, mut element) = (0, 0);
        self.sorted.retain(|_| {
            element += usize::from(starts.get(element + 1) == Some(&at));
            at += 1;
            keep(element)
        });
    }
}

/// The first of `len` elements that does not come before what is searched for. `near` is the result of the previous search, from
/// which this one starts unless it is already too far.
fn first_from(near: usize, len: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = match near.checked_sub(1).is_none_or(&is_before) {
        true => (near, near),
        false => (0, near - 1),
    };
    // Steps that double, then a binary search in the last one.
    let mut step = 1;
    while high < len && is_before(high) {
        low = high + 1;
        high = low.saturating_add(step).min(len);
        step *= 2;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        match is_before(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}
