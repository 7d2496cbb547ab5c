//! Storage order by counting: linear in the number of entries.

use super::super::width::Position;
use super::BuildError;
use super::keys::Keys;
use alloc::vec::Vec;

/// The largest number of buckets, whose ends must stay in a cache.
const MOST_BUCKETS: u32 = 22;
/// Bits of a digit where the entries of a large bucket are sorted.
const DIGIT: u32 = 8;
/// The number of entries from which a bucket is sorted digit by digit.
const LARGE: usize = 256;

/// The numbers of entries in storage order. `N` is 32 bits wide where the numbers fit.
pub(super) struct Order<N> {
    /// `None` if the entries are given in storage order.
    numbers: Option<Vec<N>>,
    entries: usize,
}

impl<N: Position> Order<N> {
    /// The order in which the entries are given.
    pub(super) fn given(entries: usize) -> Self {
        Self { numbers: None, entries }
    }

    pub(super) fn of(numbers: Vec<N>) -> Self {
        Self { entries: numbers.len(), numbers: Some(numbers) }
    }

    /// Sorts the entries: by the innermost group of levels first, by the outermost one last, each time keeping the order of
    /// those with equal keys.
    pub(super) fn sort<'a>(
        keys: &Keys<'_>,
        entries: usize,
        index: &impl Fn(usize) -> &'a [usize],
    ) -> Result<Self, BuildError> {
        let mut order = Self::given(entries);
        for group in keys.groups().iter().rev() {
            let key = |entry: usize| keys.key(group.clone(), index(entry));
            order.sort_by(keys.largest(group.clone()), key)?;
        }
        Ok(order)
    }

    pub(super) fn len(&self) -> usize {
        self.entries
    }

    /// The number of the entry at a position of storage order.
    #[inline(always)]
    pub(super) fn number(&self, at: usize) -> usize {
        match &self.numbers {
            None => at,
            Some(numbers) => numbers[at].get(),
        }
    }

    /// Sorts by a key, `largest` at most, and keeps the order of entries with equal keys.
    ///
    /// Counts how many entries have each value of the high bits of the key, and puts each entry behind those with lower
    /// ones; then sorts the few entries with the same high bits. Of 10 million entries with keys of 40 bits, the high 20
    /// bits make a million buckets of ten.
    pub(super) fn sort_by(
        &mut self,
        largest: u64,
        key: impl Fn(usize) -> u64,
    ) -> Result<(), BuildError> {
        let entries = self.entries;
        let bits = u64::BITS - largest.leading_zeros();
        let buckets = bits.min((entries as u64).max(2).ilog2()).min(MOST_BUCKETS);
        let shift = bits - buckets;
        let high = |key: u64| if shift == u64::BITS { 0 } else { (key >> shift) as usize };
        let count = high(largest) + 1;
        let mut ends: Vec<N> = filled(count + 1)?;
        for at in 0..entries {
            let bucket = high(key(self.number(at))) + 1;
            ends[bucket] = number(ends[bucket].get() + 1);
        }
        for bucket in 1..=count {
            ends[bucket] = number(ends[bucket].get() + ends[bucket - 1].get());
        }
        // Now the start of each bucket, which moves to its end as the bucket is filled.
        let mut sorted: Vec<N> = filled(entries)?;
        for at in 0..entries {
            let entry = self.number(at);
            let end = &mut ends[high(key(entry))];
            sorted[end.get()] = number(entry);
            *end = number(end.get() + 1);
        }
        if shift > 0 {
            let low = |key: u64| if shift == u64::BITS { key } else { key & ((1 << shift) - 1) };
            let (mut bucket, mut other) = (Vec::new(), Vec::new());
            let mut start = 0;
            for end in &ends[..count] {
                let part = &mut sorted[start..end.get()];
                start = end.get();
                if part.len() < 2 {
                    continue;
                }
                bucket.clear();
                reserve(&mut bucket, part.len())?;
                bucket.extend(part.iter().map(|entry| (low(key(entry.get())), *entry)));
                if bucket.is_sorted_by_key(|(key, _)| *key) {
                    continue;
                }
                match bucket.len() {
                    LARGE.. => by_digits(&mut bucket, &mut other, shift)?,
                    _ => bucket.sort_by_key(|(key, _)| *key),
                }
                part.iter_mut().zip(&bucket).for_each(|(entry, (_, sorted))| *entry = *sorted);
            }
        }
        self.numbers = Some(sorted);
        Ok(())
    }
}

/// Sorts by keys of so many bits, from the lowest digit to the highest, and keeps the order of equal keys.
fn by_digits<N: Position>(
    entries: &mut Vec<(u64, N)>,
    other: &mut Vec<(u64, N)>,
    bits: u32,
) -> Result<(), BuildError> {
    other.clear();
    reserve(other, entries.len())?;
    other.extend_from_slice(entries);
    let mut shift = 0;
    while shift < bits {
        let digit = |key: u64| (key >> shift) as usize % (1 << DIGIT);
        let mut starts = [0usize; (1 << DIGIT) + 1];
        entries.iter().for_each(|(key, _)| starts[digit(*key) + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        for entry in entries.iter() {
            let start = &mut starts[digit(entry.0)];
            other[*start] = *entry;
            *start += 1;
        }
        core::mem::swap(entries, other);
        shift += DIGIT;
    }
    Ok(())
}

/// A number of an entry, which fits: there are no more entries than `N` can count.
#[inline(always)]
pub(super) fn number<N: Position>(number: usize) -> N {
    N::new(number).unwrap_or_default()
}

/// So many zeros.
pub(super) fn filled<N: Position>(len: usize) -> Result<Vec<N>, BuildError> {
    let mut list = Vec::new();
    reserve(&mut list, len)?;
    list.resize(len, N::default());
    Ok(list)
}

/// Reserves memory for `len` more elements.
pub(super) fn reserve<T>(list: &mut Vec<T>, len: usize) -> Result<(), BuildError> {
    list.try_reserve_exact(len).map_err(|_| BuildError::OutOfMemory { level: 0, positions: len })
}
