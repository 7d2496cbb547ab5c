//! Sorting entries into storage order by counting, in time linear in their number.

use super::super::width::Position;
use super::keys::Keys;
use super::{BuildError, Memory};
use alloc::vec::Vec;

/// The largest number of bits of the number of a bucket. The ends of all buckets must stay in a cache.
const MOST_BUCKETS: u32 = 22;
/// The number of bits of a digit by which the entries of a large bucket are sorted.
const DIGIT: u32 = 8;
/// The number of entries from which a bucket is sorted digit by digit.
const LARGE: usize = 256;
/// The number of entries whose keys are computed together, so that the CPU waits for the memory accesses of many entries at the
/// same time.
const BATCH: usize = 1024;

/// The numbers of the entries in storage order. `N` has 32 bits if the numbers fit.
pub(super) struct Order<N> {
    /// `None` if the entries are given in storage order.
    numbers: Option<Vec<N>>,
    entries: usize,
    memory: Memory,
}

impl<N: Position> Order<N> {
    /// The order in which the entries are given.
    pub(super) fn given(entries: usize, memory: Memory) -> Self {
        Self { numbers: None, entries, memory }
    }

    pub(super) fn of(numbers: Vec<N>, memory: Memory) -> Self {
        Self { entries: numbers.len(), numbers: Some(numbers), memory }
    }

    /// Sorts the entries by each group of levels, from the innermost to the outermost, with stable sorts. Also returns whether
    /// two entries may have the same index.
    pub(super) fn sort<'a>(
        keys: &Keys<'_>,
        entries: usize,
        index: &impl Fn(usize) -> &'a [usize],
    ) -> Result<(Self, bool), BuildError> {
        let mut order = Self::given(entries, keys.memory);
        let mut repeats = true;
        for group in keys.groups().iter().rev() {
            let key = |entry: usize| keys.key(group.clone(), index(entry));
            repeats = order.sort_by(keys.largest(group.clone()), key)?;
        }
        Ok((order, repeats || keys.groups().len() > 1))
    }

    pub(super) fn len(&self) -> usize {
        self.entries
    }

    /// The number of the entry at position `at` of storage order.
    #[inline(always)]
    pub(super) fn number(&self, at: usize) -> usize {
        match &self.numbers {
            None => at,
            Some(numbers) => numbers[at].get(),
        }
    }

    /// Sorts by a key that is at most `largest`, and keeps the order of entries with equal keys.
    ///
    /// Counts the entries for each value of the high bits of the key, places each entry after those with lower high bits, and
    /// then sorts the few entries with the same high bits. For 10 million entries with keys of 40 bits, the high 22 bits form
    /// four million buckets of two or three entries.
    ///
    /// Returns whether two entries may have the same key.
    pub(super) fn sort_by(
        &mut self,
        largest: u64,
        key: impl Fn(usize) -> u64,
    ) -> Result<bool, BuildError> {
        let bits = u64::BITS - largest.leading_zeros();
        let buckets = bits.min((self.entries as u64).max(2).ilog2()).min(MOST_BUCKETS);
        let shift = bits - buckets;
        let high = |key: u64| (key >> shift) as usize;
        let count = high(largest) + 1;
        let (mut sorted, ends) = self.distribute(count, |number| high(key(number)))?;
        let repeats = shift == 0 || sort_buckets(&mut sorted, &ends[..count], shift, &key)?;
        self.numbers = Some(sorted);
        Ok(repeats)
    }

    /// The numbers of the entries, bucket by bucket and within a bucket in their present order, and the end of each of the `count`
    /// buckets. Four entries in the buckets 2, 0, 2 and 1 are ordered as the numbers 1, 3, 0 and 2, and the ends are 1, 2 and 4.
    fn distribute(
        &self,
        count: usize,
        bucket: impl Fn(usize) -> usize,
    ) -> Result<(Vec<N>, Vec<N>), BuildError> {
        let mut ends: Vec<N> = filled(self.memory, count + 1)?;
        let mut batch = [0; BATCH];
        for start in (0..self.entries).step_by(BATCH) {
            let len = BATCH.min(self.entries - start);
            for (at, to) in (start..).zip(&mut batch[..len]) {
                *to = bucket(self.number(at));
            }
            for to in &batch[..len] {
                ends[to + 1] = N::fitting(ends[to + 1].get() + 1);
            }
        }
        for bucket in 1..=count {
            ends[bucket] = N::fitting(ends[bucket].get() + ends[bucket - 1].get());
        }
        // `ends` now contains the start of each bucket, which moves to the end as the bucket is filled.
        let mut sorted: Vec<N> = filled(self.memory, self.entries)?;
        for start in (0..self.entries).step_by(BATCH) {
            let len = BATCH.min(self.entries - start);
            for (at, to) in (start..).zip(&mut batch[..len]) {
                *to = bucket(self.number(at));
            }
            for (at, to) in (start..).zip(&batch[..len]) {
                let end = &mut ends[*to];
                sorted[end.get()] = N::fitting(self.number(at));
                *end = N::fitting(end.get() + 1);
            }
        }
        Ok((sorted, ends))
    }
}

/// Sorts the entries of each bucket by the low bits of their keys, and keeps the order of equal keys. Returns whether there
/// are equal keys.
fn sort_buckets<N: Position>(
    sorted: &mut [N],
    ends: &[N],
    bits: u32,
    key: &impl Fn(usize) -> u64,
) -> Result<bool, BuildError> {
    let low = |key: u64| key & ((1 << bits) - 1);
    let (mut pairs, mut other) = (Vec::new(), Vec::new());
    let (mut start, mut bucket) = (0, 0);
    let mut repeats = false;
    while bucket < ends.len() {
        // Computes the keys of many buckets together, so that the CPU reads many entries at the same time.
        let first = bucket;
        while bucket < ends.len() && (bucket == first || ends[bucket].get() - start <= BATCH) {
            bucket += 1;
        }
        let part = &mut sorted[start..ends[bucket - 1].get()];
        pairs.clear();
        reserve(&mut pairs, part.len())?;
        pairs.extend(part.iter().map(|entry| (low(key(entry.get())), *entry)));
        repeats |= sort_pairs(&mut pairs, &mut other, &ends[first..bucket], start, bits)?;
        part.iter_mut().zip(&pairs).for_each(|(entry, (_, sorted))| *entry = *sorted);
        start += part.len();
    }
    Ok(repeats)
}

/// Sorts the pairs of a key and an entry within each bucket; the first bucket starts at `start`. Returns whether two keys of a
/// bucket are equal.
///
/// A separate function, because its caller is generic over the function that computes the keys, and each instance would contain a
/// copy of the sort.
fn sort_pairs<N: Position>(
    pairs: &mut Vec<(u64, N)>,
    other: &mut Vec<(u64, N)>,
    ends: &[N],
    start: usize,
    bits: u32,
) -> Result<bool, BuildError> {
    if ends.len() == 1 && pairs.len() > LARGE {
        by_digits(pairs, other, bits)?;
    }
    let mut repeats = false;
    let mut from = 0;
    for end in ends {
        let to = end.get() - start;
        let bucket = &mut pairs[from..to];
        if !bucket.is_sorted_by_key(|(key, _)| *key) {
            bucket.sort_by_key(|(key, _)| *key);
        }
        repeats |= bucket.windows(2).any(|pair| pair[0].0 == pair[1].0);
        from = to;
    }
    Ok(repeats)
}

/// Sorts by keys of `bits` bits, from the lowest digit to the highest, and keeps the order of equal keys.
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

/// A list of `len` zeros.
pub(super) fn filled<N: Position>(memory: Memory, len: usize) -> Result<Vec<N>, BuildError> {
    let filled = memory.filled(len, N::default());
    filled.map_err(|_| BuildError::OutOfMemory { level: 0, positions: len })
}

/// Reserves memory for `len` more elements.
pub(super) fn reserve<T>(list: &mut Vec<T>, len: usize) -> Result<(), BuildError> {
    list.try_reserve_exact(len).map_err(|_| BuildError::OutOfMemory { level: 0, positions: len })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers, the same in every run.
    fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed ^ (mixed >> 27)
        }
    }

    fn check<N: Position>(keys: &[u64]) {
        let mut order: Order<N> = Order::given(keys.len(), Memory::PLAIN);
        let largest = keys.iter().copied().max().unwrap_or(0);
        let repeats = order.sort_by(largest, |entry| keys[entry]).unwrap();
        let mut expected: Vec<usize> = (0..keys.len()).collect();
        expected.sort_by_key(|entry| keys[*entry]);
        assert!((0..keys.len()).map(|at| order.number(at)).eq(expected.iter().copied()));
        let twice = expected.windows(2).any(|pair| keys[pair[0]] == keys[pair[1]]);
        assert!(repeats || !twice, "entries with the same key were not noticed");
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        for len in [0, 1, 2, 3, 100, 5000] {
            for bits in [1, 3, 12, 20, 40, 63, 64] {
                let mut next = random(len as u64 + 64 * bits as u64);
                let all: Vec<u64> = (0..len).map(|_| next() >> (64 - bits)).collect();
                check::<u32>(&all);
                check::<usize>(&all);
                // Puts most entries into one bucket, so that it is sorted digit by digit.
                let skew =
                    |key: &u64| if key.is_multiple_of(16) { *key } else { key >> (bits / 2) };
                let skewed: Vec<u64> = all.iter().map(skew).collect();
                check::<u32>(&skewed);
            }
        }
    }
}
