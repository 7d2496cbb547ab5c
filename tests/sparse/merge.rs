//! Unions of tensors, and insertions of single entries: compared with maps from indices to values.

use crate::encoding_table::ENCODINGS;
use crate::encodings::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tensor_layout::sparse::{
    BuildError, Duplicates, DynSparseTensor, Encoding, SparseEncoding, SparseTensor,
};

type Map = BTreeMap<Vec<usize>, i64>;

/// Entries of a tensor in the order of the bytes, without those that the encoding cannot store.
fn tensor(encoding: SparseEncoding, shape: &[usize], bytes: &[u8]) -> DynSparseTensor<i64> {
    let mut entries: Vec<(Vec<usize>, i64)> = Vec::new();
    for (at, byte) in bytes.iter().enumerate().take(shape.iter().product()) {
        if byte % 3 == 0 {
            continue;
        }
        let mut rest = at;
        let mut index: Vec<usize> = shape
            .iter()
            .rev()
            .map(|size| {
                let x = rest % size;
                rest /= size;
                x
            })
            .collect();
        index.reverse();
        entries.push((index, i64::from(byte / 3 % 9) - 4));
        if DynSparseTensor::from_coo(encoding, shape, &entries, Duplicates::Error).is_err() {
            entries.pop();
        }
    }
    DynSparseTensor::from_coo(encoding, shape, &entries, Duplicates::Error).expect("a tensor")
}

/// What is stored, zeros of the encoding included.
fn stored(tensor: &DynSparseTensor<i64>) -> Map {
    let mut map = Map::new();
    for (index, value) in tensor.stored_entries() {
        *map.entry(index).or_insert(0) += value;
    }
    map
}

fn without_zeros(mut map: Map) -> Map {
    map.retain(|_, value| *value != 0);
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn unions_are_those_of_maps(
        which in 0..ENCODINGS.len() + 3,
        size in 0..6usize,
        a in prop::collection::vec(any::<u8>(), 64),
        b in prop::collection::vec(any::<u8>(), 64),
        operation in 0..3usize,
        same in any::<bool>(),
    ) {
        // Larger shapes of the encodings whose segments are merged as arrays, too.
        let (text, shape) = match which.checked_sub(ENCODINGS.len()) {
            None => (ENCODINGS[which].0, ENCODINGS[which].1.to_vec()),
            Some(0) => ("(i, j) -> (i : dense, j : compressed)", vec![size, 8]),
            Some(1) => ("(i, j) -> (j : dense, i : compressed), posWidth = 8, crdWidth = 8", vec![8, size]),
            Some(_) => (
                "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
                vec![8, size],
            ),
        };
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        let mut merged = tensor(encoding, &shape, &a);
        let other = match same {
            true => merged.clone().map_values(|value| value * 3 - 1),
            false => tensor(encoding, &shape, &b),
        };
        let combine = [|a, b| a + b, |a: i64, b: i64| a.min(b), |a, b| a * b][operation];
        let (before, mut expected) = (merged.clone(), stored(&merged));
        for (index, value) in stored(&other) {
            expected.entry(index).and_modify(|old| *old = combine(*old, value)).or_insert(value);
        }
        match merged.merge(other, combine) {
            Ok(()) => {
                let found = merged.to_coo().into_iter().collect();
                prop_assert_eq!(without_zeros(found), without_zeros(expected), "{}", text);
                let again = DynSparseTensor::assemble(encoding, merged.disassemble());
                prop_assert!(again.is_ok());
            }
            Err(error) => {
                let full = matches!(error, BuildError::Structured { .. } | BuildError::Slots { .. } | BuildError::Repeated { .. });
                prop_assert!(full, "{text}: {error}");
                prop_assert_eq!(merged, before);
            }
        }
    }

    #[test]
    fn insertions_are_those_into_a_map(
        bytes in prop::collection::vec(any::<u8>(), 30),
        written in prop::collection::vec((0..5usize, 0..6usize, -4..5i64, any::<bool>()), 0..40),
        finish in any::<bool>(),
    ) {
        fn check<E: Encoding<Index = [usize; 2]>>(
            bytes: &[u8],
            written: &[(usize, usize, i64, bool)],
            finish: bool,
        ) -> Result<(), TestCaseError> {
            let entries = tensor(E::SPEC, &[5, 6], bytes).to_coo();
            let mut map: Map = entries.iter().cloned().collect();
            let entries: Vec<_> = entries.iter().map(|(at, value)| ([at[0], at[1]], *value)).collect();
            let built = SparseTensor::<E, i64>::from_coo([5, 6], &entries, Duplicates::Error);
            let mut tensor = built.expect("a tensor");
            let mut insertions = tensor.insertions();
            for &(i, j, value, sets) in written {
                let old = map.entry(vec![i, j]).or_insert(0);
                let result = if sets {
                    *old = value;
                    insertions.set([i, j], value)
                } else {
                    *old += value;
                    insertions.add([i, j], value)
                };
                prop_assert_eq!(result, Ok(()));
            }
            prop_assert!(insertions.set([5, 0], 1).is_err());
            match finish {
                true => prop_assert_eq!(insertions.finish(), Ok(())),
                false => drop(insertions),
            }
            let found = tensor.to_coo().into_iter().map(|(at, value)| (at.to_vec(), value)).collect();
            prop_assert_eq!(without_zeros(found), without_zeros(map));
            let mut twin = DynSparseTensor::from_coo(E::SPEC, &[5, 6], &entries, Duplicates::Error).expect("a tensor");
            let mut insertions = twin.insertions();
            for &(i, j, value, sets) in written {
                let result = match sets {
                    true => insertions.set(&[i, j], value),
                    false => insertions.add(&[i, j], value),
                };
                prop_assert_eq!(result, Ok(()));
            }
            prop_assert!(insertions.set(&[5, 0], 1).is_err() && insertions.add(&[0], 1).is_err());
            match finish {
                true => prop_assert_eq!(insertions.finish(), Ok(())),
                false => drop(insertions),
            }
            prop_assert_eq!(&twin, &DynSparseTensor::from(tensor.clone()));
            prop_assert!(SparseTensor::<E, i64>::assemble(tensor.disassemble()).is_ok());
            Ok(())
        }
        check::<Csr>(&bytes, &written, finish)?;
        check::<Csc>(&bytes, &written, finish)?;
        check::<SortedCoo>(&bytes, &written, finish)?;
        check::<Dcsr>(&bytes, &written, finish)?;
        check::<Bsr>(&bytes, &written, finish)?;
        check::<Delta4>(&bytes, &written, finish)?;
        check::<Dia>(&bytes, &written, finish)?;
        check::<Unordered>(&bytes, &written, finish)?;
    }
}

#[test]
fn an_element_that_is_stored_twice_is_set_as_a_whole() {
    let entries = [([1, 1], 2), ([1, 1], 3), ([2, 0], 1)];
    let coo = SparseTensor::<tensor_layout::sparse::formats::Coo, i64>::from_coo(
        [3, 3],
        &entries,
        Duplicates::Keep,
    );
    let mut coo = coo.expect("a matrix");
    let mut insertions = coo.insertions();
    insertions.add([1, 1], 10).expect("stored");
    insertions.set([1, 1], 7).expect("stored");
    assert!(insertions.is_empty());
    insertions.set([0, 0], 4).expect("within bounds");
    insertions.finish().expect("a matrix");
    assert_eq!((coo.get([1, 1]), coo.get([0, 0]), coo.get([2, 0])), (7, 4, 1));
}

#[test]
fn what_does_not_fit_is_an_error_and_changes_nothing_else() {
    let all: Vec<_> = (0..200).map(|j| ([0, j], 1.0)).collect();
    type Narrow = tensor_layout::sparse::formats::Csr<u8, usize>;
    let mut rows =
        SparseTensor::<Narrow, f64>::from_coo([2, 400], &all, Duplicates::Error).expect("a matrix");
    let mut insertions = rows.insertions();
    insertions.set([0, 0], 5.0).expect("stored");
    (200..300).for_each(|j| insertions.set([1, j], 1.0).expect("within bounds"));
    let error = insertions.finish().expect_err("300 positions");
    assert!(matches!(error, BuildError::PositionOverflow { level: 1, .. }), "{error}");
    assert_eq!((rows.number_of_entries(), rows.get([0, 0])), (200, 5.0));
}
