use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::extent::Extent;
use super::super::width::{Coordinate, Position};
use super::keys::{Keys, Target};
use super::order::{Order, filled, reserve};
use super::prune::pruned;
use super::scatter::scatter;
use super::writer::Writer;
use super::{BuildError, Duplicates, Memory, Parts, Storage, within};
use alloc::vec::Vec;
use core::cmp::Ordering;

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Stores entries that are given in any order.
    ///
    /// Takes time linear in the number of entries and the size of the arrays. If the entries are not in storage order, it also
    /// takes 4 bytes of memory for each entry and each bucket, or 8 bytes from 2^32 entries on.
    ///
    /// # Errors
    /// If the encoding cannot store an array of `shape`, or if an entry cannot be stored: see [`BuildError`].
    pub fn build<I: AsRef<[usize]>>(
        encoding: &SparseEncoding,
        shape: &[usize],
        entries: &[(I, T)],
        duplicates: Duplicates,
        memory: Memory,
    ) -> Result<Self, BuildError> {
        let extents = extents(encoding, shape)?;
        let keys = Keys::new(encoding, &extents, memory);
        if let Some(parts) =
            scatter::<I, P, C, T>(&keys, shape, entries.len(), &entries, duplicates)
        {
            return Self::seal(encoding, parts, extents);
        }
        let parts = parts::<I, P, C, T>(&keys, shape, entries, Entries::All(duplicates))?;
        Self::seal(encoding, parts, extents)
    }

    /// Stores the `n` entries of largest magnitude of each group: those with the same coordinates on all levels but the last. NaN
    /// counts as the largest, and of equal values those with the smallest coordinates on the last level are stored.
    ///
    /// Takes the time and the memory of [`Storage::build`].
    ///
    /// # Errors
    /// As for [`Storage::build`], also if two entries have the same index.
    pub fn build_pruned<I: AsRef<[usize]>>(
        encoding: &SparseEncoding,
        shape: &[usize],
        entries: &[(I, T)],
        n: usize,
        memory: Memory,
    ) -> Result<Self, BuildError> {
        let extents = extents(encoding, shape)?;
        let keys = Keys::new(encoding, &extents, memory);
        let parts = parts::<I, P, C, T>(&keys, shape, entries, Entries::Largest(n))?;
        Self::seal(encoding, parts, extents)
    }
}

/// Which entries are stored.
#[derive(Clone, Copy)]
enum Entries {
    /// All, with a policy for those with the same index.
    All(Duplicates),
    /// This number of each group.
    Largest(usize),
}

/// The arrays for entries that are given in any order.
fn parts<I: AsRef<[usize]>, P: Position, C: Coordinate, T: SparseElement>(
    keys: &Keys<'_>,
    shape: &[usize],
    entries: &[(I, T)],
    stored: Entries,
) -> Result<Parts<P, C::Word, T>, BuildError> {
    let input = input(keys, shape, entries);
    match u32::try_from(entries.len()) {
        Ok(_) => input.build::<u32, P, C>(stored),
        Err(_) => input.build::<usize, P, C>(stored),
    }
}

/// The entries as input of the functions that sort and check them.
///
/// The closure is created here, outside of the functions that are generic over the widths of positions and coordinates. A
/// closure has the generic parameters of the function around it, so sorting and checking would otherwise be compiled once for
/// each pair of widths.
fn input<'k, I: AsRef<[usize]>, T: SparseElement>(
    keys: &'k Keys<'k>,
    shape: &'k [usize],
    entries: &'k [(I, T)],
) -> Input<'k, impl Fn(usize) -> &'k [usize], impl Fn(usize) -> T> {
    let index = |entry: usize| entries[entry].0.as_ref();
    let value = |entry: usize| entries[entry].1;
    Input { keys, shape, entries: entries.len(), index, value }
}

/// The range of coordinates of each level.
///
/// # Errors
/// If the encoding is a slice, or cannot store an array of `shape`.
pub fn extents(encoding: &SparseEncoding, shape: &[usize]) -> Result<Vec<Extent>, BuildError> {
    if encoding.is_slice() {
        return Err(BuildError::Slice);
    }
    let known: Vec<_> = shape.iter().copied().map(Some).collect();
    if let Some(problem) = encoding.array_problems(&known, None).into_iter().next() {
        return Err(BuildError::Shape(problem));
    }
    // No extent is missing: `array_problems` has reported those that overflow.
    Ok(encoding.levels().iter().filter_map(|level| level.expr.extent(shape)).collect())
}

/// The number of entries that are read ahead.
const BATCH: usize = 256;

/// Entries in any order.
struct Input<'k, I, F> {
    keys: &'k Keys<'k>,
    shape: &'k [usize],
    entries: usize,
    index: I,
    value: F,
}

/// The order of the given entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// In storage order, all with different indices.
    Increasing,
    /// In storage order, some with the same index as the entry before.
    Sorted,
    Unsorted,
}

impl<'a, T: SparseElement, I: Fn(usize) -> &'a [usize], F: Fn(usize) -> T> Input<'_, I, F> {
    fn build<N: Position, P: Position, C: Coordinate>(
        &self,
        stored: Entries,
    ) -> Result<Parts<P, C::Word, T>, BuildError> {
        let encoding = self.keys.encoding;
        let given = self.check()?;
        let (mut order, may_repeat): (Order<N>, _) = match given {
            Given::Unsorted => Order::sort(self.keys, self.entries, &self.index)?,
            given => (Order::given(self.entries, self.keys.memory), given == Given::Sorted),
        };
        let duplicates = match stored {
            Entries::All(duplicates) => duplicates,
            Entries::Largest(_) => Duplicates::Error,
        };
        let repeats = may_repeat && self.merge(&order, duplicates)?;
        if let Entries::Largest(n) = stored {
            order = pruned(self.keys, &order, n, &self.index, &self.value)?;
        }
        let sums = repeats && duplicates == Duplicates::Sum;
        self.check_singletons(&order, sums)?;
        let slots = match encoding.count_level() {
            Some(level) => self.count(&mut order, level, sums)?,
            None => Vec::new(),
        };
        let (mut levels, values) = self.write::<N, P, C>(&order, &slots, sums)?;
        let joined = encoding.batch_levels() > 0;
        if joined {
            super::interleave::interleave(encoding, &mut levels);
        }
        Ok(Parts { shape: self.shape.to_vec(), levels, values })
    }

    /// Checks that all entries are within the array, and determines their order.
    fn check(&self) -> Result<Given, BuildError> {
        let Self { keys, shape, entries, index, .. } = self;
        let [group, others @ ..] = keys.groups() else { return Ok(Given::Unsorted) };
        // An index within bounds has coordinates on all levels, except that a row may have no slots at all.
        if let Some(level) = keys.encoding.count_level().filter(|_| *entries > 0)
            && let Extent { least, size: size @ 0 } = keys.extents[level]
        {
            return Err(BuildError::Coordinate { level, coordinate: 0, entry: 0, least, size });
        }
        let mut given = Given::Increasing;
        let mut before = None;
        for entry in 0..*entries {
            let at = index(entry);
            if !within(at, shape) {
                let (index, shape) = (at.to_vec(), shape.to_vec());
                return Err(BuildError::OutOfBounds { entry, index, shape });
            }
            if given == Given::Unsorted {
                continue;
            }
            let key = keys.key(group.clone(), at);
            let inner = |entry: usize| {
                others.iter().map(move |group| keys.key(group.clone(), index(entry)))
            };
            match before.map_or(Ordering::Less, |before: u64| before.cmp(&key)) {
                Ordering::Less => {}
                Ordering::Greater => given = Given::Unsorted,
                Ordering::Equal => match inner(entry - 1).cmp(inner(entry)) {
                    Ordering::Less => {}
                    Ordering::Equal => given = Given::Sorted,
                    Ordering::Greater => given = Given::Unsorted,
                },
            }
            before = Some(key);
        }
        Ok(given)
    }

    /// The coordinates of the entry at position `at` of storage order.
    #[inline(always)]
    fn target<N: Position>(&self, order: &Order<N>, at: usize) -> Target {
        self.keys.target((self.index)(order.number(at)))
    }

    /// Applies the policy for entries with the same index. Returns whether there are any.
    fn merge<N: Position>(
        &self,
        order: &Order<N>,
        duplicates: Duplicates,
    ) -> Result<bool, BuildError> {
        let mut before: Option<Target> = None;
        for at in 0..order.len() {
            let target = self.target(order, at);
            if before == Some(target) {
                return match duplicates {
                    Duplicates::Error => {
                        let (first, second) = (order.number(at - 1), order.number(at));
                        let index = (self.index)(first).to_vec();
                        Err(BuildError::Duplicate { first, second, index })
                    }
                    Duplicates::Keep if !self.keys.encoding.keeps() => Err(BuildError::KeepUnique),
                    _ => Ok(true),
                };
            }
            before = Some(target);
        }
        Ok(false)
    }

    /// Checks that singletons with further levels below them distinguish all entries, unless they are `nonunique`.
    fn check_singletons<N: Position>(
        &self,
        order: &Order<N>,
        sums: bool,
    ) -> Result<(), BuildError> {
        let encoding = self.keys.encoding;
        let levels = encoding.levels().len();
        for level in (0..levels).filter(|level| encoding.tells_apart(*level)) {
            let mut before: Option<(usize, Target)> = None;
            for at in 0..order.len() {
                let target = self.target(order, at);
                if let Some((first, other)) = before {
                    // Entries that are summed count as one.
                    if sums && target == other {
                        continue;
                    }
                    if target[..=level] == other[..=level] {
                        let (first, second) = (order.number(first), order.number(at));
                        return Err(BuildError::Repeated { level, first, second });
                    }
                }
                before = Some((at, target));
            }
        }
        Ok(())
    }

    /// Numbers the entries of each row, and sorts by that number if its level comes before the level of rows. Returns the
    /// number of the entry at each position of storage order.
    fn count<N: Position>(
        &self,
        order: &mut Order<N>,
        level: usize,
        sums: bool,
    ) -> Result<Vec<N>, BuildError> {
        let (row, slots) = (1 - level, self.keys.extents[level].size);
        let memory = self.keys.memory;
        let mut counted: Vec<N> = filled(memory, order.len())?;
        let mut before: Option<Target> = None;
        let (mut count, mut most) = (0, 0);
        for (at, counted) in counted.iter_mut().enumerate() {
            let target = self.target(order, at);
            count = match before {
                Some(before) if before[row] != target[row] => 0,
                Some(before) if sums && before == target => count,
                Some(_) => count + 1,
                None => 0,
            };
            if count == slots {
                return Err(BuildError::Slots { level, entry: order.number(at), slots });
            }
            before = Some(target);
            most = most.max(count);
            *counted = N::fitting(count);
        }
        if level < row {
            let mut by_count: Order<N> = Order::given(order.len(), memory);
            by_count.sort_by(most as u64, |at| counted[at].get() as u64)?;
            let (mut numbers, mut sorted) = (Vec::new(), Vec::new());
            reserve(&mut numbers, order.len())?;
            reserve(&mut sorted, order.len())?;
            for at in (0..order.len()).map(|at| by_count.number(at)) {
                numbers.push(N::fitting(order.number(at)));
                sorted.push(counted[at]);
            }
            (*order, counted) = (Order::of(numbers, memory), sorted);
        }
        Ok(counted)
    }

    /// Writes the arrays, batch by batch.
    fn write<N: Position, P: Position, C: Coordinate>(
        &self,
        order: &Order<N>,
        slots: &[N],
        sums: bool,
    ) -> Result<super::batch::LevelsAndValues<P, C::Word, T>, BuildError> {
        let Keys { encoding, extents, .. } = *self.keys;
        let (first, mut batches) = (encoding.batch_levels(), 1usize);
        let mut built = Vec::new();
        for (level, extent) in extents.iter().enumerate().take(first) {
            batches = batches.saturating_mul(extent.size);
            if built.try_reserve_exact(batches).is_err() {
                return Err(BuildError::OutOfMemory { level, positions: batches });
            }
        }
        let start = |entries| Writer::<P, C, T>::new(self.keys, first, entries, first == 0);
        let count_level = encoding.count_level();
        let (mut at, mut fetched) = (0, 0);
        for batch in 0..batches {
            let mut writer = start(if first == 0 { order.len() } else { 0 })?;
            while at < order.len() {
                if at >= fetched {
                    fetched = self.fetch(order, at);
                }
                let mut target = self.target(order, at);
                if first > 0 && self.batch(&target) != batch {
                    break;
                }
                let number = order.number(at);
                let mut value = (self.value)(number);
                at += 1;
                if sums && at < order.len() && self.target(order, at) == target {
                    let mut sum = value.widen();
                    while at < order.len() && self.target(order, at) == target {
                        sum = sum.plus((self.value)(order.number(at)).widen());
                        at += 1;
                    }
                    value = T::narrow(sum);
                }
                if let Some(level) = count_level {
                    target[level] = slots[at - 1].get() as i64;
                }
                writer.push(&target, number, value)?;
            }
            built.push(writer.finish()?);
        }
        Ok(super::batch::join::<P, C, T>(encoding, built))
    }

    /// Reads a batch of entries, from position `from` of storage order up to the position that it returns. The entries are
    /// scattered over memory, and since this loop does nothing else, the CPU waits for many of them at the same time.
    fn fetch<N: Position>(&self, order: &Order<N>, from: usize) -> usize {
        let to = order.len().min(from + BATCH);
        let read = |sum: usize, at| sum.wrapping_add((self.index)(order.number(at))[0]);
        core::hint::black_box((from..to).fold(0, read));
        to
    }

    /// The number of the batch to which an entry belongs.
    fn batch(&self, target: &Target) -> usize {
        let levels = target.iter().zip(self.keys.extents).take(self.keys.encoding.batch_levels());
        levels.fold(0, |batch, (coordinate, extent)| {
            batch * extent.size + (coordinate - extent.least) as usize
        })
    }
}
