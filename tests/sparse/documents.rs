//! The worked examples of MLIR's document on sparse encodings, array for array.

use crate::encodings::*;
use tensor_layout::sparse::{Duplicates, Encoding, SparseEncoding, SparseTensor};

#[test]
fn blocks_of_2x2() {
    let dense = [
        1.0, 2.0, 0.0, 0.0, 4.0, 0.0, //
        0.0, 3.0, 0.0, 0.0, 0.0, 5.0, //
        0.0, 0.0, 6.0, 7.0, 0.0, 0.0, //
        0.0, 0.0, 8.0, 0.0, 0.0, 0.0,
    ];
    let matrix = SparseTensor::<Bsr2, f64>::from_dense([4, 6], &dense).expect("a matrix");
    assert_eq!(
        matrix.to_string(),
        "---- Sparse Tensor ----\n\
         nse = 12\n\
         dim = ( 4, 6 )\n\
         lvl = ( 2, 3, 2, 2 )\n\
         pos[1] : ( 0, 2, 3 )\n\
         crd[1] : ( 0, 2, 1 )\n\
         values : ( 1, 2, 0, 3, 4, 0, 0, 5, 6, 7, 8, 0 )\n\
         ----\n"
    );
    assert_eq!(matrix.to_dense().expect("memory"), dense);
}

/// The pattern of the 16x16 matrix, one row of the document's table of coordinates for each row: the two coordinates of each
/// block of four.
const NV_COORDINATES: [[i64; 8]; 16] = [
    [0, 2, 0, 2, 0, 2, 0, 2],
    [1, 3, 1, 3, 1, 3, 1, 3],
    [0, 1, 2, 3, 0, 1, 2, 3],
    [2, 3, 0, 1, 2, 3, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [0, 2, 0, 2, 0, 2, 0, 2],
    [1, 3, 1, 3, 1, 3, 1, 3],
    [0, 1, 2, 3, 0, 1, 2, 3],
    [2, 3, 0, 1, 2, 3, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [2, 3, 2, 3, 2, 3, 2, 3],
];

#[test]
fn two_of_four_in_two_bits() {
    // 1 to 4 in the first row, 5 to 8 in the second, up to 32; each value twice.
    let mut entries = Vec::new();
    let mut values = Vec::new();
    for (i, row) in NV_COORDINATES.iter().enumerate() {
        for (at, j) in row.iter().enumerate() {
            let value = (i % 8 * 4 + at % 4 + 1) as f32;
            entries.push(([i, at / 2 * 4 + *j as usize], value));
            values.push(value);
        }
    }
    let matrix = SparseTensor::<Nv24, f32>::from_coo([16, 16], &entries, Duplicates::Error);
    let matrix = matrix.expect("a matrix");
    let coordinates: Vec<i64> = matrix.level_coordinates(2).collect();
    assert_eq!(coordinates, NV_COORDINATES.concat());
    assert_eq!(matrix.values(), values);
    // Four to a byte, the first in the low bits: 0, 2, 0, 2.
    assert_eq!((matrix.coordinates(2).len(), matrix.coordinates(2)[0]), (32, 0b10_00_10_00));
    assert_eq!(matrix.to_coo(), entries);
}

#[test]
fn all_encodings_are_types() {
    assert_eq!(Bsr::SPEC, BsrExplicit::SPEC);
    for (encoding, text) in [
        (SparseVector::SPEC, "map = (d0) -> (d0 : compressed)"),
        (SortedCoo::SPEC, "map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)"),
        (
            Bcoo::SPEC,
            "map = (d0, d1, d2) -> (d0 : dense, d1 : loose_compressed(nonunique), d2 : singleton)",
        ),
        (Csr::SPEC, "map = (d0, d1) -> (d0 : dense, d1 : compressed)"),
        (
            Dcsc::SPEC,
            "map = (d0, d1) -> (d1 : compressed, d0 : compressed), posWidth = 32, crdWidth = 8",
        ),
        (
            Bsr::SPEC,
            "map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense)",
        ),
        (
            Nv24::SPEC,
            "map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]), crdWidth = 2",
        ),
        (Ell::SPEC, "map = [s0](d0, d1) -> (d0 * (s0 * 3) : dense, d0 : dense, d1 : compressed)"),
        (
            CsrSlice::SPEC,
            "map = (d0 : #sparse_tensor<slice(0, 4, 1)>, d1 : #sparse_tensor<slice(0, 8, ?)>) -> (d0 : dense, d1 : compressed)",
        ),
    ] {
        assert_eq!(encoding.to_string(), format!("#sparse_tensor.encoding<{{ {text} }}>"));
        assert_eq!(encoding.to_string().parse(), Ok(encoding));
    }
}

/// `CSR`, as the document explains it with the matrix of blocks.
#[test]
fn rows_of_sorted_columns() {
    let entries = [
        ([0, 0], 1.0),
        ([0, 1], 2.0),
        ([0, 4], 4.0),
        ([1, 1], 3.0),
        ([1, 5], 5.0), //
        ([2, 2], 6.0),
        ([2, 3], 7.0),
        ([3, 2], 8.0),
    ];
    let matrix = SparseTensor::<Csr, f64>::from_coo([4, 6], &entries, Duplicates::Error);
    let matrix = matrix.expect("a matrix");
    assert_eq!(matrix.positions(1), [0, 3, 5, 7, 8]);
    assert_eq!(matrix.coordinates(1), [0, 1, 4, 1, 5, 2, 3, 2]);
    assert_eq!(matrix.segment::<1>(1), 3..5);
    assert_eq!(matrix.get([1, 1]), 3.0);
}

#[test]
fn ell_pads_each_row() {
    let entries = [([0, 0], 1.0), ([0, 1], 2.0), ([0, 4], 4.0), ([1, 1], 3.0), ([2, 5], 5.0)];
    let matrix = SparseTensor::<Ell, f64>::from_coo([4, 6], &entries, Duplicates::Error);
    let matrix = matrix.expect("a matrix");
    assert!(matrix.positions(2).is_empty());
    // Three jagged diagonals of four rows.
    assert_eq!(matrix.coordinates(2), [0, 1, 5, 0, 1, 0, 0, 0, 4, 0, 0, 0]);
    assert_eq!(matrix.values(), [1.0, 3.0, 5.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0]);
    let mut read = matrix.to_coo();
    read.sort_by_key(|(index, _)| *index);
    assert_eq!(read, entries);
    let full: Vec<_> = (0..4).map(|j| ([1, j], 1.0)).collect();
    let error = SparseTensor::<Ell, f64>::from_coo([4, 6], &full, Duplicates::Error).unwrap_err();
    assert_eq!(error.to_string(), "level 0: entry 3 is one too many: a row has room for 3");
    assert!(Ell::SPEC.is_bounded() && Nv24::SPEC.is_bounded() && !Csr::SPEC.is_bounded());
}

/// The item form defines a macro of the same name, for other macros to read.
#[test]
fn definitions_can_be_read_by_macros() {
    let text = Csr!([stringify] definition);
    assert_eq!(
        text.split_whitespace().collect::<String>(),
        "definition{(i,j)->(i:dense,j:compressed)}"
    );
}

/// "For the BSR (Block Sparse Row) format": the document's text of it ends before its `}>`, and the error says exactly that.
#[test]
fn the_introduction_shows_bsr_without_its_closing_brackets() {
    let written = "#BSR = #sparse_tensor.encoding<{
  map = (i, j) ->
    ( i floordiv 2 : dense
    , j floordiv 2 : compressed
    , i mod 2 : dense
    , j mod 2 : dense
    )";
    let error = written.parse::<SparseEncoding>().unwrap_err().to_string();
    assert_eq!(error, "7:6: the encoding lacks its closing `}>` (help: write `}>` at the end)");
    let error = format!("{written} }}").parse::<SparseEncoding>().unwrap_err().to_string();
    assert_eq!(error, "7:8: the encoding lacks its closing `>` (help: write `>` at the end)");
    assert_eq!(format!("{written} }}>").parse(), Ok(Bsr2::SPEC));
    let tensor =
        "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : dense) }>";
    let error = tensor.parse::<SparseEncoding>().unwrap_err().to_string();
    assert_eq!(error, "1:84: the tensor type lacks its closing `>` (help: write `>` at the end)");
}

/// The guide names a test for each sentence.
#[test]
fn the_tests_that_the_guide_names_exist() {
    let guide = include_str!("../../src/guide/sparse.md");
    let (_, table) = guide.split_once("sentence by sentence").expect("the section");
    let files = [
        ("append.rs", include_str!("append.rs")),
        ("arrays.rs", include_str!("arrays.rs")),
        ("assemble.rs", include_str!("assemble.rs")),
        ("golden_storage.rs", include_str!("golden_storage.rs")),
        ("kinds.rs", include_str!("kinds.rs")),
        ("shaped.rs", include_str!("shaped.rs")),
        ("tensors.rs", include_str!("tensors.rs")),
    ];
    let mut found = 0;
    for line in table.lines().filter(|line| line.starts_with("| ") && line.contains(" | ")) {
        let (_, cell) = line.trim_end_matches(" |").rsplit_once(" | ").expect("two cells");
        let mut text = include_str!("documents.rs");
        for name in cell.split('`').skip(1).step_by(2) {
            match files.iter().find(|(file, _)| *file == name) {
                Some((_, file)) => text = file,
                None => {
                    assert!(text.contains(&format!("fn {name}(")), "{name}");
                    found += 1;
                }
            }
        }
    }
    assert!(found > 20, "{found}");
}
