//! The levels of a type as a nest of loops. Each level is a function of its own type, with its rule, its widths and its weights
//! as constants, so that it is compiled to the loops that a person would write.

use super::typed::Encoding;
use super::types::{LevelType, Nest, Nested};
use core::ops::Range;
use layout_core::sparse::storage::{Rule, Storage};
use layout_core::sparse::{Coordinate, MAX_LEVELS, MAX_RANK};

/// The storage of an encoding.
type StorageOf<E, T> = Storage<<E as Encoding>::Position, <E as Encoding>::Coordinate, T>;

/// The loops of a level and those below it.
pub trait Visit {
    /// The number of levels, starting with this one.
    const LEVELS: usize;

    /// Calls `f` with the index and the value at each position below position `above` of the level above, in storage order.
    /// `RAGGED` states whether some positions may have no index.
    fn visit<E: Encoding, T, F: FnMut(E::Index, &T), const RAGGED: bool>(
        storage: &StorageOf<E, T>,
        batch: usize,
        above: usize,
        sums: [usize; MAX_RANK],
        f: &mut F,
    );

    /// Calls `f` with the positions of the values whose coordinates are `target`, below position `above` of the level above, in
    /// storage order, until it returns true. Returns whether it has.
    fn seek<E: Encoding, T, F: FnMut(usize) -> bool>(
        storage: &StorageOf<E, T>,
        batch: usize,
        above: usize,
        target: &[i64; MAX_LEVELS],
        f: &mut F,
    ) -> bool;
}

impl Visit for () {
    const LEVELS: usize = 0;

    #[inline(always)]
    fn visit<E: Encoding, T, F: FnMut(E::Index, &T), const RAGGED: bool>(
        _: &StorageOf<E, T>,
        _: usize,
        _: usize,
        _: [usize; MAX_RANK],
        _: &mut F,
    ) {
    }

    #[inline(always)]
    fn seek<E: Encoding, T, F: FnMut(usize) -> bool>(
        storage: &StorageOf<E, T>,
        batch: usize,
        above: usize,
        _: &[i64; MAX_LEVELS],
        f: &mut F,
    ) -> bool {
        let last = const { E::SPEC.levels().len() - 1 };
        f(storage.first_position(last, batch) + above)
    }
}

/// The constants of a level.
struct At<E, N>(core::marker::PhantomData<(E, N)>);

impl<E: Encoding, N: Visit> At<E, N> {
    const LEVEL: usize = E::SPEC.levels().len() - N::LEVELS;
    const RULE: Rule = Rule::of(&E::SPEC, Self::LEVEL);
    const IS_BATCH: bool = Self::LEVEL < E::SPEC.batch_levels();
    const BATCHED: bool = E::SPEC.batch_levels() > 0;
    const WEIGHTS: [usize; MAX_RANK] = {
        let mut weights = [0; MAX_RANK];
        let mut dim = 0;
        while dim < MAX_RANK {
            weights[dim] = E::SPEC.inverse().weight(dim, Self::LEVEL) as usize;
            dim += 1;
        }
        weights
    };

    /// The sums, with the part that `coordinate` adds to each dimension.
    #[inline(always)]
    fn step(mut sums: [usize; MAX_RANK], coordinate: i64) -> [usize; MAX_RANK] {
        let mut dim = 0;
        while dim < const { E::SPEC.rank() } {
            sums[dim] =
                sums[dim].wrapping_add(Self::WEIGHTS[dim].wrapping_mul(coordinate as usize));
            dim += 1;
        }
        sums
    }

    /// The positions below position `above` of the level above, within the batch.
    #[inline(always)]
    fn segment<T>(storage: &StorageOf<E, T>, batch: usize, above: usize) -> Range<usize> {
        // Each batch starts from one position.
        let above = if const { Self::LEVEL <= E::SPEC.batch_levels() } { 0 } else { above };
        let positions: &[E::Position] = match (Self::RULE.has_positions(), Self::BATCHED) {
            (false, _) => &[],
            (true, false) => &storage.parts.levels[Self::LEVEL].positions,
            (true, true) => storage.positions_of(Self::LEVEL, batch),
        };
        Self::RULE.below(positions, storage.extents[Self::LEVEL].size, above)
    }

    /// The number to add to a position to find it in the arrays of all batches.
    #[inline(always)]
    fn first<T>(storage: &StorageOf<E, T>, batch: usize) -> usize {
        if Self::BATCHED { storage.first_position(Self::LEVEL, batch) } else { 0 }
    }

    /// The coordinates of the positions `segment`.
    #[inline(always)]
    fn coordinates<'a, T>(
        storage: &'a StorageOf<E, T>,
        batch: usize,
        segment: Range<usize>,
    ) -> impl Iterator<Item = i64> + 'a {
        let home = const { E::SPEC.home(Self::LEVEL) };
        let first = Self::first(storage, batch);
        let words = &storage.parts.levels[home.level].coordinates;
        let segment = first + segment.start..first + segment.end;
        E::Coordinate::segment(words, segment, home.stride, home.offset)
    }
}

/// The index that corresponds to the sums of all levels; `None` if it is outside of the array.
#[inline(always)]
fn index<E: Encoding, T, const RAGGED: bool>(
    storage: &StorageOf<E, T>,
    sums: &[usize; MAX_RANK],
) -> Option<E::Index> {
    let mut index = E::Index::default();
    let mut inside = true;
    for (dim, x) in index.as_mut().iter_mut().enumerate() {
        *x = E::SPEC.inverse().digit(dim).of(sums[dim] as i64) as usize;
        if RAGGED {
            // A negative number is large as an unsigned number.
            inside &= *x < storage.shape()[dim];
        }
    }
    inside.then_some(index)
}

impl<L: LevelType, B: Nest> Visit for Nested<L, B> {
    const LEVELS: usize = 1 + B::LEVELS;

    #[inline(always)]
    fn visit<E: Encoding, T, F: FnMut(E::Index, &T), const RAGGED: bool>(
        storage: &StorageOf<E, T>,
        batch: usize,
        above: usize,
        sums: [usize; MAX_RANK],
        f: &mut F,
    ) {
        let extent = storage.extents[At::<E, Self>::LEVEL];
        if At::<E, Self>::IS_BATCH {
            for number in 0..extent.size {
                let sums = At::<E, Self>::step(sums, extent.least + number as i64);
                let batch = batch * extent.size + number;
                match const { B::LEVELS } {
                    0 => leaf::<E, T, F, RAGGED>(storage, &storage.parts.values[batch], &sums, f),
                    _ => B::visit::<E, T, F, RAGGED>(storage, batch, 0, sums, f),
                }
            }
            return;
        }
        let segment = At::<E, Self>::segment(storage, batch, above);
        // The code for a position of this level: the next level, or the value.
        macro_rules! each {
            ($coordinates:expr) => {
                if const { B::LEVELS == 0 } {
                    let first = At::<E, Self>::first(storage, batch);
                    let values = &storage.parts.values[first + segment.start..first + segment.end];
                    for (coordinate, value) in $coordinates.zip(values) {
                        leaf::<E, T, F, RAGGED>(
                            storage,
                            value,
                            &At::<E, Self>::step(sums, coordinate),
                            f,
                        );
                    }
                } else {
                    for (coordinate, position) in $coordinates.zip(segment.clone()) {
                        let sums = At::<E, Self>::step(sums, coordinate);
                        B::visit::<E, T, F, RAGGED>(storage, batch, position, sums, f);
                    }
                }
            };
        }
        match At::<E, Self>::RULE {
            Rule::Full => each!(extent.least..extent.least + extent.size as i64),
            Rule::Gaps => {
                let gaps = At::<E, Self>::coordinates(storage, batch, segment.clone());
                each!(gaps.scan(-1, |before, gap| {
                    *before += gap + 1;
                    Some(*before)
                }));
            }
            _ => each!(At::<E, Self>::coordinates(storage, batch, segment.clone())),
        }
    }

    #[inline(always)]
    fn seek<E: Encoding, T, F: FnMut(usize) -> bool>(
        storage: &StorageOf<E, T>,
        batch: usize,
        above: usize,
        target: &[i64; MAX_LEVELS],
        f: &mut F,
    ) -> bool {
        let level = At::<E, Self>::LEVEL;
        let (extent, wanted) = (storage.extents[level], target[level]);
        if At::<E, Self>::IS_BATCH {
            let number = (wanted - extent.least) as usize;
            return B::seek::<E, T, F>(storage, batch * extent.size + number, 0, target, f);
        }
        let mut segment = At::<E, Self>::segment(storage, batch, above);
        let mut below = |position| B::seek::<E, T, F>(storage, batch, position, target, f);
        if const {
            matches!(E::SPEC.count_level(), Some(count) if count == E::SPEC.levels().len() - 1 - B::LEVELS)
        } {
            // Any of the slots can contain the entry.
            return segment.any(below);
        }
        let ordered = const {
            !E::SPEC.levels()[E::SPEC.levels().len() - 1 - B::LEVELS].properties.nonordered
        };
        match At::<E, Self>::RULE {
            Rule::Full => below(segment.start + (wanted - extent.least) as usize),
            Rule::Gaps => {
                let gaps = At::<E, Self>::coordinates(storage, batch, segment.clone());
                let mut before = -1;
                for (gap, position) in gaps.zip(segment) {
                    before += gap + 1;
                    if before >= wanted {
                        return before == wanted && below(position);
                    }
                }
                false
            }
            rule => {
                let home = const { E::SPEC.home(E::SPEC.levels().len() - 1 - B::LEVELS) };
                let words = &storage.parts.levels[home.level].coordinates;
                let first = At::<E, Self>::first(storage, batch);
                let coordinate = |position| {
                    E::Coordinate::get(words, (first + position) * home.stride + home.offset)
                };
                if ordered && rule != Rule::Same {
                    // Binary search for the first position with the coordinate.
                    let mut end = segment.end;
                    while segment.start < end {
                        let middle = segment.start + (end - segment.start) / 2;
                        if coordinate(middle) < wanted {
                            segment.start = middle + 1;
                        } else {
                            end = middle;
                        }
                    }
                    let mut same = segment.take_while(|position| coordinate(*position) == wanted);
                    return same.any(below);
                }
                segment.any(|position| coordinate(position) == wanted && below(position))
            }
        }
    }
}

#[inline(always)]
fn leaf<E: Encoding, T, F: FnMut(E::Index, &T), const RAGGED: bool>(
    storage: &StorageOf<E, T>,
    value: &T,
    sums: &[usize; MAX_RANK],
    f: &mut F,
) {
    if let Some(index) = index::<E, T, RAGGED>(storage, sums) {
        f(index, value);
    }
}
