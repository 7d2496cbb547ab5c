//! The rows of golden data.

use serde_json::Value;

/// The rows of a file. Fails unless there are `count` rows, so that no lost row goes unnoticed.
pub(crate) fn rows(file: &str, count: usize) -> Vec<Value> {
    let path = format!("{}/tests/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows: Vec<Value> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(rows.len(), count, "rows of {file}");
    rows
}

pub(crate) fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{row} has no text {key}"))
}

pub(crate) fn number(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|number| number.try_into().ok())
        .unwrap_or_else(|| panic!("{value} is not a size"))
}

pub(crate) fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list")).iter().map(number).collect()
}
