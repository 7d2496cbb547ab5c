//! Every combination of level formats, under several maps: the arrays follow from the definitions.

use crate::definition::arrays;
use tensor_layout::sparse::{
    BuildError, Duplicates, DynSparseTensor, LevelParts, Parts, SparseEncoding, SparseTensor,
};

const FORMATS: [&str; 14] = [
    "dense",
    "batch",
    "compressed",
    "compressed(nonunique)",
    "compressed(nonunique, nonordered)",
    "loose_compressed",
    "loose_compressed(nonunique)",
    "singleton",
    "singleton(nonunique)",
    "singleton(nonunique, soa)",
    "range",
    "delta[1]",
    "delta[3]",
    "structured[2, 4]",
];

/// Dimensions, the expression of each level, and a shape.
const MAPS: [(&str, &[&str], &[usize]); 9] = [
    ("i", &["i"], &[9]),
    ("i, j", &["i", "j"], &[5, 7]),
    ("i, j", &["j", "i"], &[6, 4]),
    ("i, j", &["j - i", "i"], &[4, 6]),
    ("i, j", &["i + j", "j"], &[5, 3]),
    ("i, j", &["i", "j floordiv 4", "j mod 4"], &[3, 10]),
    ("i, j", &["i floordiv 2", "j", "i mod 2"], &[5, 4]),
    ("i, j, k", &["i", "j", "k"], &[3, 4, 3]),
    ("i, j, k", &["k", "i", "j"], &[2, 3, 11]),
];

/// Encodings that cannot be spelled with one format for each level.
const OTHERS: [(&str, &[usize]); 6] = [
    ("[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)", &[5, 7]),
    ("[c](i, j) -> (j : dense, c * 4 * j : dense, i : compressed)", &[7, 5]),
    (
        "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
        &[5, 7],
    ),
    (
        "(i, j) -> (i floordiv 2 : compressed, j floordiv 2 : loose_compressed, i mod 2 : dense, j mod 2 : compressed)",
        &[7, 6],
    ),
    (
        "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : dense, i mod 4 : dense, j mod 4 : structured[3, 4])",
        &[6, 9],
    ),
    ("(i, j) -> (i * 8 + j : compressed)", &[5, 8]),
];

/// The same list of entries in every run, some of them at the same index, in order or not.
fn entries(shape: &[usize], seed: usize) -> Vec<(Vec<usize>, i32)> {
    let mut state = seed as u64;
    let mut next = |size: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % size
    };
    let count = next(9);
    let mut index = || shape.iter().map(|size| next(*size)).collect::<Vec<_>>();
    let mut entries: Vec<_> = (0..count).map(|at| (index(), 1 + at as i32)).collect();
    if seed.is_multiple_of(3) {
        entries.sort();
    }
    if seed % 4 < 2 {
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|a, b| a.0 == b.0);
    }
    entries
}

/// Whether the encoding can store the entries; if so, checks its arrays.
fn compare(encoding: &SparseEncoding, shape: &[usize], entries: &[(Vec<usize>, i32)]) -> bool {
    let mut stored = false;
    for duplicates in [Duplicates::Error, Duplicates::Sum, Duplicates::Keep] {
        let tensor = match DynSparseTensor::from_coo(*encoding, shape, entries, duplicates) {
            Ok(tensor) => tensor,
            Err(
                BuildError::Shape(_)
                | BuildError::Repeated { .. }
                | BuildError::Structured { .. }
                | BuildError::Slots { .. }
                | BuildError::KeepUnique
                | BuildError::Duplicate { .. },
            ) => continue,
            Err(error) => panic!("{encoding}: {error}"),
        };
        let expected = arrays(encoding, shape, entries, duplicates);
        assert_eq!(tensor.disassemble(), expected, "{encoding} {duplicates:?} {entries:?}");
        stored = true;
    }
    stored
}

#[test]
fn every_combination_of_formats() {
    let (mut seed, mut stored) = (0, 0);
    for (dims, held, shape) in MAPS {
        for number in 0..FORMATS.len().pow(held.len() as u32) {
            let format =
                |level: usize| FORMATS[number / FORMATS.len().pow(level as u32) % FORMATS.len()];
            let levels =
                held.iter().enumerate().map(|(at, held)| format!("{held} : {}", format(at)));
            let text = format!("({dims}) -> ({})", levels.collect::<Vec<_>>().join(", "));
            let Ok(encoding) = text.parse::<SparseEncoding>() else { continue };
            for _ in 0..6 {
                seed += 1;
                stored += usize::from(compare(&encoding, shape, &entries(shape, seed)));
            }
        }
    }
    assert!(stored > 5000, "{stored}");
}

#[test]
fn slots_and_blocks() {
    for (text, shape) in OTHERS {
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        let stored = (0..200).filter(|seed| compare(&encoding, shape, &entries(shape, *seed)));
        assert!(stored.count() > 100, "{text}");
    }
}

/// Sizes that no memory can hold are errors, and take no time.
#[test]
fn arrays_that_no_memory_holds() {
    let entry = |index: [usize; 2]| vec![(index.to_vec(), 1)];
    let cases = [
        ("[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)", [1 << 44, 5], vec![]),
        (
            "[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)",
            [1 << 44, 5],
            entry([0, 4]),
        ),
        (
            "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])",
            [1 << 44, 4],
            vec![],
        ),
        ("(i, j) -> (i : dense, j : delta[1])", [1, 1 << 48], entry([0, (1 << 48) - 1])),
        ("(i, j) -> (i : dense, j : compressed)", [1 << 46, 4], entry([0, 3])),
        ("(i, j) -> (i : dense, j : dense)", [1 << 31, 1 << 31], vec![]),
        ("(i, j) -> (i floordiv 4 : dense, j : compressed, i mod 4 : dense)", [1 << 50, 4], vec![]),
    ];
    for (text, shape, entries) in cases {
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        let tensor = DynSparseTensor::<i32>::from_coo(encoding, &shape, &entries, Duplicates::Sum);
        assert!(matches!(tensor, Err(BuildError::OutOfMemory { .. })), "{text}");
    }
}

/// Arrays without values may have any number of rows or batches: none is visited.
#[test]
fn huge_shapes_without_values() {
    for (text, shape) in [
        ("(i, j) -> (i : dense, j : dense)", [1 << 60, 0]),
        ("(i, j) -> (i : batch, j floordiv 4 : dense, j mod 4 : structured[2, 4])", [1 << 60, 0]),
    ] {
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        let levels = encoding.levels().iter().map(|_| LevelParts::default()).collect();
        let parts = Parts { shape: shape.to_vec(), levels, values: Vec::<i32>::new() };
        let tensor = DynSparseTensor::assemble(encoding, parts).expect("arrays without values");
        assert_eq!(tensor.to_coo(), []);
    }
    let typed =
        SparseTensor::<crate::encodings::Dense, i32>::empty([1 << 60, 0]).expect("a matrix");
    typed.for_each(|index, _| panic!("{index:?} is out of bounds"));
    assert_eq!(typed.to_coo(), []);
}

/// Indices of another length are out of bounds, wherever their encoding searches for a coordinate.
#[test]
fn indices_of_another_rank() {
    let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed)".parse().expect("an encoding");
    let csc: SparseEncoding = "(i, j) -> (j : dense, i : compressed)".parse().expect("an encoding");
    for encoding in [csr, csc] {
        for index in [vec![], vec![0], vec![0, 0, 0]] {
            let entries = [(vec![0, 1], 1), (index, 2)];
            let error = DynSparseTensor::from_coo(encoding, &[2, 2], &entries, Duplicates::Sum);
            assert!(matches!(error, Err(BuildError::OutOfBounds { entry: 1, .. })), "{encoding}");
        }
    }
}
