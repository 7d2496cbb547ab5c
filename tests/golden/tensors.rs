//! Tensors of golden rows: entries with their indices, or nested lists of values.

use crate::rows;
use serde_json::Value;

pub(crate) fn entries(tensor: &Value) -> Vec<(Vec<usize>, f64)> {
    let entry = |entry: &Value| {
        let (value, index) = entry.as_array().expect("an entry").split_last().expect("a value");
        let index = index.iter().map(rows::number).collect();
        (index, value.as_f64().expect("a number"))
    };
    tensor["coo"].as_array().expect("entries").iter().map(entry).collect()
}

pub(crate) fn flat(value: &Value, values: &mut Vec<f64>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| flat(value, values)),
        number => values.push(number.as_f64().expect("a number")),
    }
}
