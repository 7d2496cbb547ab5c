//! All layouts and encodings of the golden data: each picture is small, and agrees with the index function.

use crate::formulas::value;
use serde_json::Value;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, docs};
use tensor_layout::sparse::SparseEncoding;

fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The maximum size of the documentation on a page.
const MAX_SIZE: usize = 60_000;
/// The maximum size of the program of a page, including the digits of its layout.
const MAX_PROGRAM: usize = 30_000;

/// Fails if the documentation of a layout is large.
#[track_caller]
fn check_size(text: &str, docs: &str) {
    let (before, program, after) = match docs.split_once("<script>") {
        Some((before, rest)) => {
            let (program, after) = rest.split_once("</script>").expect("it ends");
            (before, program, after)
        }
        None => (docs, "", ""),
    };
    assert!(before.len() + after.len() < MAX_SIZE, "{text}: {} bytes", docs.len());
    assert!(program.len() < MAX_PROGRAM, "{text}: a program of {} bytes", program.len());
}

#[test]
fn layouts_found_in_programs() {
    let mut drawn = 0;
    for row in rows("wild_layouts") {
        let text = row.as_str().expect("a text");
        let Ok(spec) = text.parse::<TiledSpec>() else { continue };
        let docs = docs(&spec);
        check_size(text, &docs);
        assert_eq!(spec.picture().panels.is_empty(), spec.elements() == 0, "{text}");
        drawn += 1;
        // Elements spread over the array, including the first and the last.
        let (elements, formula) = (spec.elements(), spec.formula().to_string());
        for number in (0..elements).step_by((elements / 50).max(1)).chain(elements.checked_sub(1)) {
            let index = spec.map().index_of(number).expect("an element");
            let offset = spec.offset(&index);
            assert_eq!(value(&formula, &index), offset, "{text}: {formula} at {index:?}");
            let steps = spec.steps(&index).expect("within bounds");
            assert_eq!(steps.lines().last(), Some(&format!("= {offset}")), "{text}");
            let names: Vec<_> = index.iter().map(usize::to_string).collect();
            let back = spec.steps_back(offset).expect("within the storage");
            let element = format!("element ({})", names.join(","));
            assert_eq!(back.lines().last(), Some(&element), "{text}");
        }
        for offset in (0..spec.len()).step_by((spec.len() / 50).max(1)) {
            let back = spec.steps_back(offset).expect("within the storage");
            let is_padding = back.lines().last().is_some_and(|line| line.starts_with("padding"));
            assert_eq!(is_padding, spec.index(offset).is_none(), "{text}: {offset}");
        }
        assert!(spec.steps_back(spec.len()).is_none(), "{text}");
    }
    assert!(drawn > 70, "{drawn} layouts");
}

#[test]
fn encodings_that_mlir_takes() {
    let mut drawn = 0;
    for row in rows("sparse_encoding_text") {
        let text = row["encoding"].as_str().expect("a text");
        let Ok(encoding) = text.parse::<SparseEncoding>() else { continue };
        let docs = docs(&encoding);
        check_size(text, &docs);
        drawn += 1;
        // The matrix of the example shows each value at its index.
        if let [matrix, arrays] = encoding.picture().panels.as_slice() {
            let values = arrays.rows.len() - 1;
            for cell in matrix.cells.iter().filter(|cell| cell.hover.contains("values[")) {
                let (_, position) = cell.hover.split_once("values[").expect("a position");
                let position: usize = position.trim_end_matches(']').parse().expect("a number");
                if let Some(value) = arrays.cell(values, position).filter(|_| position < 11) {
                    assert_eq!(value.text, cell.text, "{text}: {}", cell.hover);
                }
            }
        }
    }
    assert!(drawn > 50, "{drawn} encodings");
}
