//! The storage of both MLIR back ends, and NVIDIA's sparse tensors where MLIR has no format.

use crate::rows::{numbers, rows, text};
use serde_json::Value;
use tensor_layout::sparse::{BuildError, Duplicates, DynSparseTensor, LevelFormat, SparseEncoding};

/// MLIR stores these as long as no two entries must be distinguished; here they are errors.
const REFUSED: &[&str] =
    &["(d0 : compressed, d1 : singleton)", "d1 floordiv 2 : singleton, d0 mod 2 : dense"];

type Entries = Vec<(Vec<usize>, f64)>;

fn entries(row: &Value) -> Entries {
    let entry = |entry: &Value| {
        let entry = entry.as_array().expect("an entry");
        let (value, index) = entry.split_last().expect("a value");
        let index = index.iter().map(crate::rows::number).collect();
        (index, value.as_f64().expect("a number"))
    };
    row["coo"].as_array().expect("entries").iter().map(entry).collect()
}

fn floats(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .expect("values")
        .iter()
        .map(|value| value.as_f64().expect("a number"))
        .collect()
}

fn integers(value: &Value) -> Vec<i64> {
    match value {
        Value::Null => Vec::new(),
        list => list
            .as_array()
            .expect("a list")
            .iter()
            .map(|n| n.as_i64().expect("an integer"))
            .collect(),
    }
}

/// Compares all arrays with those of a row, and reads the entries back.
fn check(row: &Value, tensor: &DynSparseTensor<f64>, entries: &Entries, fills: bool) {
    let name = tensor.encoding().to_string();
    for (level, spec) in tensor.encoding().levels().iter().enumerate() {
        let key = level.to_string();
        let mut expected = integers(&row["pos"][&key]);
        let mut positions: Vec<i64> = tensor.positions(level).iter().map(|p| *p as i64).collect();
        if spec.format == LevelFormat::LooseCompressed {
            // The last one has no meaning.
            expected.pop();
            positions.pop();
        }
        assert_eq!(positions, expected, "{name}: positions of level {level} of {row}");
        let coordinates: Vec<i64> = tensor.level_coordinates(level).collect();
        assert_eq!(
            coordinates,
            integers(&row["crd"][&key]),
            "{name}: coordinates of level {level} of {row}"
        );
        if !row["crd_print"].is_null() {
            let stored: Vec<i64> = tensor.coordinates(level).iter().map(|c| *c as i64).collect();
            assert_eq!(
                stored,
                integers(&row["crd_print"][&key]),
                "{name}: array of level {level} of {row}"
            );
        }
    }
    assert_eq!(tensor.values(), floats(&row["values"]), "{name}: values of {row}");
    let mut sorted = entries.clone();
    sorted.retain(|(_, value)| !fills || *value != 0.0);
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let mut read = tensor.to_coo();
    read.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(read, sorted, "{name}");
    let assembled = DynSparseTensor::assemble(*tensor.encoding(), tensor.clone().disassemble());
    assert_eq!(assembled.as_ref(), Ok(tensor), "{name}");
}

#[test]
fn mlir() {
    let mut refused = 0;
    for row in rows("sparse_storage", 198) {
        let text = text(&row, "encoding");
        let encoding = text.parse::<SparseEncoding>();
        if REFUSED.iter().any(|refused| text.contains(refused)) {
            assert!(encoding.is_err(), "{text}");
            refused += 1;
            continue;
        }
        let encoding = encoding.unwrap_or_else(|error| panic!("{text}: {error}"));
        let (shape, entries) = (numbers(&row["shape"]), entries(&row));
        let tensor = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(tensor.level_sizes(), numbers(&row["lvl_sizes"]), "{text}");
        check(&row, &tensor, &entries, encoding.fills());
    }
    assert_eq!(refused, 4);
}

#[test]
fn universal_sparse_tensors() {
    let mut refused = 0;
    for row in rows("sparse_ust", 95) {
        let format = text(&row, "fmt").replace("//", "floordiv").replace('%', "mod");
        // There the second size is that of the block.
        let block =
            format.split("mod ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("");
        let format = match format.split_once("structured[") {
            Some((before, after)) => format!("{before}structured[{}, {block}])", &after[..1]),
            None => format,
        };
        let encoding: SparseEncoding =
            format.parse().unwrap_or_else(|error| panic!("{format}: {error}"));
        let (shape, entries) = (numbers(&row["shape"]), entries(&row));
        let tensor = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error);
        if !row["error"].is_null() {
            assert!(matches!(tensor, Err(BuildError::Structured { .. })), "{row}");
            refused += 1;
            continue;
        }
        let tensor = tensor.unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(tensor.level_sizes(), numbers(&row["levels"]), "{row}");
        check(&row, &tensor, &entries, encoding.fills());
    }
    assert_eq!(refused, 4);
}
