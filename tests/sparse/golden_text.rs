//! MLIR's results for 200 encodings.

use crate::rows::{rows, text};
use serde_json::Value;
use tensor_layout::sparse::SparseEncoding;

/// Encodings that MLIR accepts and then gets wrong: errors here, for the reason next to them.
const WRONGLY_ACCEPTED: &[(&str, &str)] = &[
    ("map = [c](i, j) -> (i : dense, j : compressed)", "symbol `c` has no meaning here"),
    (
        "map = [c](i, j) -> (i floordiv c : dense, j : compressed, i mod c : dense)",
        "a free symbol has no meaning in a quotient",
    ),
    ("map = (i) -> (i : structured[256,256])", "`structured[256, 256]` is not between"),
    ("map = (i) -> (i : structured[300,400])", "`structured[300, 400]` is not between"),
    (
        "map = (i, j) -> (i : dense, j : structured[300,400])",
        "`structured[300, 400]` is not between",
    ),
    ("map = (i, j) -> (i : compressed, j : singleton)", "must be `nonunique`"),
    (
        "map = (i,j,k) -> (i : compressed(nonunique), j : singleton, k : dense)",
        "a `dense` level cannot be below a `singleton`",
    ),
];

/// Encodings here that MLIR does not read: diagonals, whose inverse is proved, and a spelling of the documents.
const WRONGLY_REJECTED: &[(&str, &str)] = &[
    (
        "map = (i, j) -> (i : dense, j : block2_4)",
        "(d0, d1) -> (d0 : dense, d1 : structured[2, 4])",
    ),
    ("map = (i) -> (i : block2_4)", "(d0) -> (d0 : structured[2, 4])"),
    (
        "map = (i, j) -> (i + j : dense, j : compressed)",
        "(d0, d1) -> (d0 + d1 : dense, d1 : compressed)",
    ),
    (
        "map = (i, j) -> (j - i : compressed, i : dense)",
        "(d0, d1) -> (d1 - d0 : compressed, d0 : dense)",
    ),
    (
        "map = (i, j) -> (i : dense, j : compressed(high))",
        "(d0, d1) -> (d0 : dense, d1 : loose_compressed)",
    ),
];

/// Encodings that are valid, but not for the shape of the row.
const WRONG_FOR_THE_SHAPE: &[(&str, &str)] = &[
    (
        "map = (i, j) -> (i : dense, j : compressed), crdWidth = 8",
        "coordinates of 8 bits cannot hold those of this level, which go up to 999",
    ),
    (
        "map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, 8, 1)>) -> (i : dense, j : compressed)",
        "dimension `d0` has size 2, but its slice has size 4",
    ),
];

#[test]
fn every_row() {
    let find = |list: &'static [(&str, &str)], key: &str| {
        list.iter().find(|(input, _)| *input == key).map(|(_, what)| *what)
    };
    for row in rows("sparse_encoding_text", 200) {
        let input = text(&row, "encoding");
        let encoding = input.parse::<SparseEncoding>();
        if let Some(reason) = find(WRONGLY_ACCEPTED, input) {
            assert_eq!(row["mlir_accepts"], true, "{input}");
            let error = encoding.expect_err(input).to_string();
            assert!(error.contains(reason), "{input}: {error}");
        } else if let Some(canonical) = find(WRONGLY_REJECTED, input) {
            assert_eq!(row["mlir_accepts"], false, "{input}");
            let encoding = encoding.unwrap_or_else(|error| panic!("{input}: {error}"));
            assert!(encoding.to_string().contains(canonical), "{input}: {encoding}");
        } else if row["mlir_accepts"] == true {
            let encoding = encoding.unwrap_or_else(|error| panic!("{input}: {error}"));
            let canonical = text(&row, "canonical");
            assert_eq!(encoding.to_string(), canonical, "{input}");
            assert_eq!(canonical.parse(), Ok(encoding), "{input}");
            check_shape(&row, input, &encoding, find(WRONG_FOR_THE_SHAPE, input));
        } else if let Ok(encoding) = encoding {
            // Valid in itself, but not for the tensor type of the row.
            assert!(!shape_problems(&row, &encoding).is_empty(), "{input} must be an error");
        }
    }
}

fn dims(row: &Value) -> Option<Vec<Option<usize>>> {
    let dim = |size: &Value| size.as_u64().and_then(|size| size.try_into().ok());
    row["shape"].as_array().map(|shape| shape.iter().map(dim).collect())
}

fn shape_problems(row: &Value, encoding: &SparseEncoding) -> Vec<String> {
    let problems = dims(row).map(|dims| encoding.array_problems(&dims, None));
    problems.into_iter().flatten().map(|problem| problem.to_string()).collect()
}

fn check_shape(row: &Value, input: &str, encoding: &SparseEncoding, expected: Option<&str>) {
    let problems = shape_problems(row, encoding);
    match expected {
        Some(expected) if row["shape"].as_array().is_some_and(|shape| shape[0] != "?") => {
            assert!(problems[0].contains(expected), "{input}: {problems:?}");
        }
        _ => assert_eq!(problems, [""; 0], "{input}"),
    }
}
