//! Encodings with every kind of level below every other one, on random tensors and random arrays: accepted arrays agree with
//! plain loops in every query, and rejected arrays break a rule that plain loops find broken too.

use crate::definition::arrays;
use crate::naive::{Wide, check, indices, positions, target, wide};
use proptest::prelude::*;
use tensor_layout::sparse::{
    Appender, AssembleError, BuildError, Duplicates, DynSparseTensor, Encoding, Gather,
    LevelFormat, Problem, SparseEncoding, SparseTensor, formats,
};
use tensor_layout::sparse_encoding;

sparse_encoding! {
    // Singletons: in the middle, below every parent, above every format.
    type Middle = (i, j, k) -> (i : compressed(nonunique), j : singleton, k : singleton);
    type MiddleSoa = (i, j, k) -> (i : loose_compressed(nonunique), j : singleton(soa), k : singleton(soa));
    type MiddleAbove = (i, j, k) -> (i : compressed(nonunique), j : singleton, k : compressed);
    type MiddleLoose = (i, j, k) -> (i : compressed(nonunique, nonordered), j : singleton, k : loose_compressed);
    type MiddleDelta = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonordered), k : delta[1]);
    type MiddleRange = (i, j, k) -> (k : compressed(nonunique), j - i : singleton, i : range);
    type MiddleBoth = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : compressed);
    type MiddleDense = (i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton(nonunique));
    type Unsorted3 = (i, j, k) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered), k : singleton);
    type BatchedCoo = (i, j, k) -> (i : batch, j : compressed(nonunique), k : singleton);
    // Levels below others that repeat coordinates.
    type FullBelow = (i, j) -> (i : compressed(nonunique), j : dense);
    type RangeBelow = (i, j) -> (j - i : compressed(nonunique), i : range);
    type GapsBelow = (i, j) -> (i : compressed(nonunique), j : delta[1]);
    type SegmentsBelow = (i, j) -> (i : compressed(nonunique), j : compressed);
    type BlocksBelow = (i, j) -> (i floordiv 2 : compressed(nonunique), j floordiv 2 : compressed(nonunique), i mod 2 : dense,
        j mod 2 : dense);
    type LooseBelow = (i, j) -> (i : loose_compressed(nonunique), j : loose_compressed(nonunique, nonordered));
    type UnsortedColumns = (i, j) -> (i : dense, j : compressed(nonunique, nonordered));
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type AnyRows = (i, j) -> (i : compressed(nonunique, nonordered), j : singleton);
    type AnyColumns = (i, j) -> (i : compressed(nonunique), j : singleton(nonunique, nonordered));
    // Structured levels over every form.
    type OfSum = (i, j) -> (i : dense, i + j : structured[1, 4]);
    type OfSumBatched = (i, j) -> (i : batch, i + j : structured[2, 5]);
    type OfDifference = (i, j) -> (i : dense, j - i : structured[2, 4]);
    type OfLine = (i, j) -> (i * 4 + j : structured[5, 8]);
    type OfBlocks = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : dense, i mod 4 : dense, j mod 4 : structured[2, 4]);
    type OfColumns = (i, j) -> (j floordiv 2 : dense, i floordiv 2 : dense, j mod 2 : dense, i mod 2 : structured[1, 2]);
    type OfDim = (i, j) -> (i : dense, j : structured[2, 4]);
    // Coordinates below zero.
    type BatchedDiagonals = (i, j) -> (j - i : batch, i : compressed);
    type BatchesOnly = (i, j) -> (j - i : batch, i : batch);
    type BatchedSums = (i, j) -> (i + j : batch, i : range);
    type DenseDiagonals = (i, j) -> (i - j : dense, j : compressed);
    type AntiDiagonals = (i, j) -> (i + j : loose_compressed, j : range);
    // Wide gaps, and slots.
    type WideGaps = (i, j) -> (i : dense, j : delta[63]);
    type ByteGaps = (i, j) -> (i : compressed, j : delta[8]), crdWidth = 8;
    type Ell = [c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed);
    type EllColumns = [c](i, j) -> (j : dense, c * 3 * j : dense, i : compressed);
}

type Entry<const R: usize> = ([usize; R], i32);

/// Whether the shape is one that the encoding cannot store.
fn is_too_large(encoding: &SparseEncoding, shape: &[usize]) -> bool {
    let last = encoding.levels().len() - 1;
    let LevelFormat::Structured { m, .. } = encoding.levels()[last].format else { return false };
    indices(shape).iter().any(|index| !(0..m as i64).contains(&target(encoding, index)[last]))
}

/// Whether two entries have the same coordinates down to a level that must distinguish them.
fn repeats(encoding: &SparseEncoding, targets: &[Vec<i64>]) -> bool {
    let last = encoding.levels().len() - 1;
    encoding.levels()[..last].iter().enumerate().any(|(level, spec)| {
        let mut seen: Vec<_> = targets.iter().map(|target| &target[..=level]).collect();
        seen.sort();
        spec.format == LevelFormat::Singleton
            && !spec.properties.nonunique
            && seen.windows(2).any(|pair| pair[0] == pair[1])
    })
}

/// Builds, appends and assembles.
fn built<E: Encoding<Index = [usize; R]>, const R: usize>(
    shape: [usize; R],
    entries: &[Entry<R>],
    duplicates: Duplicates,
) -> Option<SparseTensor<E, i32>> {
    let encoding = E::SPEC;
    let mut targets: Vec<_> = entries.iter().map(|(index, _)| target(&encoding, index)).collect();
    if duplicates == Duplicates::Sum {
        targets.sort();
        targets.dedup();
    }
    let tensor = SparseTensor::<E, i32>::from_coo(shape, entries, duplicates);
    let twin = DynSparseTensor::from_coo(encoding, &shape, entries, duplicates);
    assert_eq!(tensor.as_ref().err(), twin.as_ref().err());
    let tensor = match tensor {
        Err(BuildError::Shape(Problem::StructuredSum { .. } | Problem::StructuredDim { .. })) => {
            assert!(is_too_large(&encoding, &shape), "{encoding} {shape:?}");
            return None;
        }
        Err(BuildError::Shape(Problem::Limit { dim, size, limit, .. })) => {
            assert!(size > limit && shape[dim] == size, "{encoding} {shape:?}");
            return None;
        }
        Err(BuildError::Repeated { .. }) => {
            assert!(repeats(&encoding, &targets), "{encoding} {entries:?}");
            return None;
        }
        Err(BuildError::Structured { .. } | BuildError::Slots { .. } | BuildError::KeepUnique) => {
            return None;
        }
        Err(error) => panic!("{encoding}: {error}: {entries:?}"),
        Ok(tensor) => tensor,
    };
    assert!(!is_too_large(&encoding, &shape), "{encoding} {shape:?}");
    assert!(!repeats(&encoding, &targets), "{encoding} {entries:?}");
    let arrays = arrays(&encoding, &shape, entries, duplicates);
    assert_eq!(wide(&tensor), arrays, "{encoding} {entries:?}");
    assert_eq!(twin.expect("a tensor").disassemble(), arrays, "{encoding} {entries:?}");
    check(&tensor);
    // The entries are present, each as often as it was given.
    let mut sums = std::collections::BTreeMap::<[usize; R], i32>::new();
    entries.iter().for_each(|(index, value)| *sums.entry(*index).or_default() += value);
    for index in indices(&shape) {
        let index: [usize; R] = index.try_into().expect("the rank");
        assert_eq!(tensor.get(index), sums.get(&index).copied().unwrap_or(0), "{encoding}");
    }
    if duplicates == Duplicates::Keep {
        let (mut given, mut read) = (entries.to_vec(), tensor.to_coo());
        given.sort();
        read.sort();
        assert_eq!(given, read, "{encoding}");
    }
    Some(tensor)
}

/// Entries in any order: the appended tensor has them in storage order.
fn appended<E: Encoding<Index = [usize; R]>, const R: usize, const N: usize>(
    shape: [usize; R],
    entries: &[Entry<R>],
) {
    let encoding = E::SPEC;
    let Ok(mut appender) = Appender::<E, i32, N>::new(shape) else { return };
    let mut pushed = Vec::new();
    for (index, value) in entries {
        let levels = target(&encoding, index);
        let levels = core::array::from_fn(|level| levels[level] as usize);
        if appender.push(*index, levels, *value).is_err() {
            assert!(appender.finish().is_err());
            return;
        }
        pushed.push(target(&encoding, index));
    }
    let Ok(tensor) = appender.finish() else { return };
    check(&tensor);
    let grows = encoding.levels().iter().all(|level| {
        !matches!(
            level.format,
            LevelFormat::Structured { .. } | LevelFormat::Delta { .. } | LevelFormat::Batch
        )
    });
    let ordered = encoding.levels().iter().all(|level| !level.properties.nonordered);
    if grows && ordered && !encoding.counts() {
        assert!(pushed.is_sorted(), "{encoding} {entries:?}");
    }
    assert!(!repeats(&encoding, &pushed), "{encoding} {entries:?}");
}

/// Modified arrays: either not a tensor, or one that satisfies the rules of its levels and can be read.
fn changed<E: Encoding<Index = [usize; R]>, const R: usize>(
    tensor: &SparseTensor<E, i32>,
    changes: &[(usize, usize, isize)],
) {
    let encoding = E::SPEC;
    let mut parts: Wide = wide(tensor);
    for &(level, at, to) in changes {
        let count = parts.levels.len();
        let coordinates = &mut parts.levels[level % count].coordinates;
        let len = coordinates.len();
        if len > 0 && to < 5 {
            coordinates[at % len] = to;
        } else if len > 1 {
            coordinates.swap(at % len, (at + 1) % len);
        }
    }
    let Ok(twin) = DynSparseTensor::assemble(encoding, parts.clone()) else { return };
    let found = crate::naive::by_index(&encoding, &parts);
    let mut stored: Vec<_> = found
        .iter()
        .flat_map(|(index, positions)| {
            positions.iter().map(|position| (index.clone(), parts.values[*position]))
        })
        .filter(|(_, value)| *value != 0 || !encoding.fills())
        .collect();
    let mut read = twin.to_coo();
    stored.sort();
    read.sort();
    assert_eq!(read, stored, "{encoding} {twin}");
    promises(&encoding, &parts);
}

/// The rules of a run of singletons: sorted, and without repeated coordinates.
fn promises(encoding: &SparseEncoding, parts: &Wide) {
    let targets: Vec<_> =
        positions(encoding, parts).into_iter().map(|(target, _)| target).collect();
    let levels = encoding.levels();
    for (level, spec) in levels.iter().enumerate() {
        if spec.format != LevelFormat::Singleton {
            continue;
        }
        let mut runs: Vec<_> = targets.iter().map(|target| &target[..=level]).collect();
        if levels[level + 1..].iter().any(|level| level.format != LevelFormat::Singleton) {
            // Several values below one position.
            runs.dedup();
        }
        if !spec.properties.nonordered {
            let sorted = |pair: &[&[i64]]| {
                pair[0][..level] != pair[1][..level] || pair[0][level] <= pair[1][level]
            };
            assert!(runs.windows(2).all(sorted), "{encoding} {parts:?}");
        }
    }
}

/// Compares sums with unchecked reads to plain ones.
fn gathered<E: Encoding<Index = [usize; 2]>, const LEVEL: usize>(tensor: &SparseTensor<E, i32>) {
    let level = tensor.level::<LEVEL>();
    let m = match E::SPEC.levels()[LEVEL].format {
        LevelFormat::Structured { m, .. } => m,
        _ => level.size(),
    };
    if level.least() < 0 {
        return;
    }
    let x: Vec<i32> = (0..m as i32).map(|j| 3 * j + 1).collect();
    let gather = Gather::<E, i32, i32, LEVEL, 1>::new(tensor, [&x]);
    let all = gather.reduce(0..tensor.values().len(), 0, |a, [x]| a * x, |a, b| a + b);
    let plain = level.entries(0..tensor.values().len());
    assert_eq!(all, plain.map(|(position, j)| tensor.values()[position] * x[j]).sum::<i32>());
}

/// All of the above in each of some encodings.
macro_rules! all {
    ($name:ident $R:literal: $($E:ident $N:literal $(gather $LEVEL:literal)?;)*) => {
        pub(crate) fn $name(shape: [usize; $R], entries: &[Entry<$R>], duplicates: Duplicates, changes: &[(usize, usize, isize)]) {
            $({
                let tensor = built::<$E, $R>(shape, entries, duplicates);
                appended::<$E, $R, $N>(shape, entries);
                if let Some(tensor) = tensor {
                    changed(&tensor, changes);
                    $(gathered::<$E, $LEVEL>(&tensor);)?
                }
            })*
        }
    };
}

all! { matrices 2:
    FullBelow 2; RangeBelow 2; GapsBelow 2; SegmentsBelow 2; BlocksBelow 4; LooseBelow 2; UnsortedColumns 2 gather 1;
    Coo 2 gather 1; AnyRows 2 gather 1; AnyColumns 2 gather 1; OfSum 2 gather 1; OfSumBatched 2; OfDifference 2 gather 1;
    OfLine 1 gather 0; OfBlocks 4 gather 3; OfColumns 4 gather 3; OfDim 2 gather 1; BatchedDiagonals 2; BatchesOnly 2;
    BatchedSums 2; DenseDiagonals 2 gather 1; AntiDiagonals 2; WideGaps 2; ByteGaps 2; Ell 3; EllColumns 3;
}

all! { tensors 3:
    Middle 3; MiddleSoa 3; MiddleAbove 3; MiddleLoose 3; MiddleDelta 3; MiddleRange 3; MiddleBoth 3; MiddleDense 3;
    Unsorted3 3; BatchedCoo 3;
}

/// A shape, and entries, sorted or not, whose indices may repeat.
pub(crate) fn entries<const R: usize>(
    most: [usize; R],
) -> impl Strategy<Value = ([usize; R], Vec<Entry<R>>)> {
    let shape: Vec<_> = most.iter().map(|most| 1..=*most).collect();
    shape.prop_flat_map(|shape| {
        let index: Vec<_> = shape.iter().map(|size| 0..*size).collect();
        let entry = (index, 1..9i32);
        let entries = prop::collection::vec(entry, 0..8);
        (Just(shape), entries, any::<bool>()).prop_map(|(shape, entries, sorted)| {
            let array = |index: Vec<usize>| <[usize; R]>::try_from(index).expect("the rank");
            let entries = entries.into_iter().map(|(index, value)| (array(index), value));
            let mut entries: Vec<_> = entries.collect();
            if sorted {
                entries.sort();
            }
            (array(shape), entries)
        })
    })
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<(usize, usize, isize)>> {
    prop::collection::vec((0..4usize, 0..8usize, -2..9isize), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn matrices_of_every_kind((shape, entries) in entries([5, 7]), changes in changes()) {
        matrices(shape, &entries, Duplicates::Sum, &changes);
        matrices(shape, &entries, Duplicates::Keep, &changes);
    }

    #[test]
    fn tensors_of_every_kind((shape, entries) in entries([3, 4, 3]), changes in changes()) {
        tensors(shape, &entries, Duplicates::Sum, &changes);
        tensors(shape, &entries, Duplicates::Keep, &changes);
    }
}

#[test]
fn a_sum_of_dimensions_has_to_fit_a_structured_level() {
    let entries = [([0, 0], 1), ([2, 2], 2), ([3, 0], 7)];
    let error = SparseTensor::<OfSum, i32>::from_coo([4, 3], &entries, Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "`structured` chooses from 4 coordinates from 0 on, but the level has 6 from 0 on"
    );
    let error = SparseTensor::<OfDifference, i32>::from_coo([2, 2], &[], Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "`structured` chooses from 4 coordinates from 0 on, but the level has 3 from -1 on"
    );
    assert!(SparseTensor::<OfLine, i32>::from_coo([2, 4], &[], Duplicates::Error).is_ok());
    assert!(SparseTensor::<OfLine, i32>::from_coo([3, 4], &[], Duplicates::Error).is_err());
}

#[test]
fn a_singleton_above_further_levels_tells_entries_apart() {
    let entries = [([0, 1, 2], 5), ([0, 1, 3], 7)];
    let error = SparseTensor::<Middle, i32>::from_coo([1, 2, 4], &entries, Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "level 1: entries 0 and 1 have the same coordinates down to this level: to store both, it must be \
         `singleton(nonunique)`"
    );
    let mut appender = Appender::<Middle, i32, 3>::new([1, 2, 4]).expect("a shape");
    appender.push([0, 1, 2], [0, 1, 2], 5).expect("an entry");
    assert!(matches!(
        appender.push([0, 1, 3], [0, 1, 3], 7),
        Err(BuildError::Sequence { level: 1, coordinate: 1, .. })
    ));
    let stored = SparseTensor::<formats::Coo, i32>::from_coo([2, 4], &[], Duplicates::Error);
    assert!(stored.is_ok());
    let apart = [([0, 1, 2], 5), ([0, 0, 3], 7)];
    let tensor = SparseTensor::<Middle, i32>::from_coo([1, 2, 4], &apart, Duplicates::Error);
    let mut parts = tensor.expect("a tensor").disassemble();
    parts.levels[0].coordinates = vec![0, 1, 2, 0, 1, 3];
    let rejected = SparseTensor::<Middle, i32>::assemble(parts).unwrap_err();
    assert_eq!(rejected.error, AssembleError::Repeated { level: 1, position: 1 });
}

#[test]
fn singletons_are_in_order_below_equal_coordinates() {
    let mut appender = Appender::<formats::Coo, f64, 2>::new([5, 2]).expect("a shape");
    appender.push([4, 1], [4, 1], 1.0).expect("an entry");
    assert!(matches!(
        appender.push([4, 0], [4, 0], 1.0),
        Err(BuildError::Sequence { level: 1, coordinate: 0, entry: 1, last: 1 })
    ));
    let entries = [([4, 0], 1), ([4, 1], 2)];
    let tensor = SparseTensor::<Coo, i32>::from_coo([5, 2], &entries, Duplicates::Error);
    let mut parts = tensor.expect("a matrix").disassemble();
    parts.levels[0].coordinates = vec![4, 1, 4, 0];
    let rejected = SparseTensor::<Coo, i32>::assemble(parts.clone()).unwrap_err();
    assert_eq!(rejected.error, AssembleError::Order { level: 1, position: 1, coordinate: 0 });
    // Sorted within each row, in whatever order the rows are.
    parts.levels[0].coordinates = vec![4, 1, 3, 0];
    assert!(SparseTensor::<Coo, i32>::assemble(parts.clone()).is_err());
    assert!(SparseTensor::<AnyRows, i32>::assemble(parts).is_ok());
}

#[test]
fn values_are_found_below_coordinates_that_are_repeated() {
    let entries = [([0, 0], 1), ([0, 1], 2)];
    let mut tensor = SparseTensor::<FullBelow, i32>::from_coo([1, 2], &entries, Duplicates::Error)
        .expect("a matrix");
    assert_eq!((tensor.get([0, 0]), tensor.get([0, 1])), (1, 2));
    *tensor.get_mut([0, 1]).expect("a stored value") = 9;
    assert_eq!(tensor.to_dense(), Ok(vec![1, 9]));
}
