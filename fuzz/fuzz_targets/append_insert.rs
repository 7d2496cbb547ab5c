//! Entries that are appended, inserted or used to build a tensor result in a tensor that plain loops read as a map of them, or in
//! an error.
#![no_main]

#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
#[path = "../../tests/sparse/append.rs"]
mod append;
#[path = "../../tests/sparse/definition.rs"]
mod definition;
#[allow(dead_code, reason = "other targets use more of it")]
mod draw;
#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
#[path = "../../tests/sparse/kinds.rs"]
mod kinds;
#[path = "../../tests/sparse/naive.rs"]
mod naive;

use draw::draw;
use libfuzzer_sys::fuzz_target;
use proptest::collection::vec;
use proptest::prelude::any;
use std::collections::BTreeMap;
use tensor_layout::sparse::{BuildError, Duplicates, Encoding, Inserter, SparseTensor, formats};

/// Appends entries, and segments of them, that are mostly in bounds.
fn appended(bytes: &[u8]) {
    let coordinate = append::coordinate;
    let entries = vec([coordinate(), coordinate(), coordinate()], 0..12);
    let case = (0..5usize, 0..5usize, 1..4usize, any::<bool>(), entries);
    let Some((rows, columns, length, sorted, mut entries)) = draw(case, bytes) else { return };
    if sorted {
        entries.sort_unstable();
        entries.dedup();
    }
    let shape = [rows, columns];
    let checked = append::all_entries(shape, &entries);
    checked.unwrap_or_else(|error| panic!("{shape:?} {entries:?}: {error}"));
    entries.dedup_by_key(|entry| [entry[0], entry[1]]);
    let checked = append::all_segments(shape, &entries, length);
    checked.unwrap_or_else(|error| panic!("{shape:?} {entries:?}: {error}"));
}

/// Inserts entries, in order or anywhere, and compares the tensor with a map.
fn inserted<E: Encoding<Index = [usize; 2]>>(bytes: &[u8]) {
    let Some(([rows, columns, any], bytes)) = bytes.split_first_chunk() else { return };
    let shape = [usize::from(rows % 9), usize::from(columns % 9)];
    let mut inserter: Inserter<E, i32> = SparseTensor::inserter(shape);
    let (mut map, mut repeated) = (BTreeMap::<[usize; 2], i32>::new(), false);
    for (at, entry) in bytes.chunks_exact(2).take(40).enumerate() {
        let index = [usize::from(entry[0] % 10), usize::from(entry[1] % 10)];
        let value = 1 << (at % 20);
        let is_inside = index[0] < shape[0] && index[1] < shape[1];
        let done = match any >> (at % 8) & 1 {
            0 => inserter.insert(index, value),
            _ => inserter.insert_any(index, value),
        };
        match done {
            Ok(()) => {
                assert!(is_inside, "{index:?} of {shape:?} in {}", E::SPEC);
                repeated |= map.contains_key(&index);
                *map.entry(index).or_default() += value;
            }
            Err(BuildError::OutOfBounds { .. }) => assert!(!is_inside, "{index:?} of {shape:?}"),
            Err(BuildError::Order { .. }) => assert!(is_inside, "{index:?} of {shape:?}"),
            Err(error) => panic!("{index:?} of {shape:?} in {}: {error}", E::SPEC),
        }
    }
    assert_eq!(inserter.finish(Duplicates::Error).is_err(), repeated, "{} {map:?}", E::SPEC);
    let tensor = inserter.finish(Duplicates::Sum).expect("what can be stored");
    naive::check(&tensor);
    for index in naive::indices(&shape) {
        let index: [usize; 2] = index.try_into().expect("the rank");
        let expected = map.get(&index).copied().unwrap_or(0);
        assert_eq!(tensor.get(index), expected, "{index:?} in {}", E::SPEC);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 8 {
        0 => appended(bytes),
        1 | 2 => {
            let case = (kinds::entries([5, 7]), kinds::changes());
            let Some(((shape, entries), changes)) = draw(case, bytes) else { return };
            let duplicates = [Duplicates::Sum, Duplicates::Keep][usize::from(choice % 8 - 1)];
            kinds::matrices(shape, &entries, duplicates, &changes);
        }
        3 | 4 => {
            let case = (kinds::entries([3, 4, 3]), kinds::changes());
            let Some(((shape, entries), changes)) = draw(case, bytes) else { return };
            let duplicates = [Duplicates::Sum, Duplicates::Keep][usize::from(choice % 8 - 3)];
            kinds::tensors(shape, &entries, duplicates, &changes);
        }
        5 => inserted::<formats::Csr>(bytes),
        6 => inserted::<formats::Csc>(bytes),
        _ => inserted::<formats::Coo>(bytes),
    }
});
