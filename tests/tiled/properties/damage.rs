//! Nearly valid texts: those of real compilers, modified.

use proptest::prelude::*;
use serde_json::Value;

/// Every shape in the golden files.
pub(crate) fn golden() -> Vec<String> {
    fn collect(value: &Value, shapes: &mut Vec<String>) {
        match value {
            Value::String(text) if text.contains('[') => shapes.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| collect(item, shapes)),
            Value::Object(fields) => fields.values().for_each(|field| collect(field, shapes)),
            _ => {}
        }
    }
    let directory = format!("{}/tests/golden", env!("CARGO_MANIFEST_DIR"));
    let mut shapes = Vec::new();
    for entry in std::fs::read_dir(&directory).expect("the golden files") {
        let path = entry.expect("a golden file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if ["tiled", "tpu", "wild", "xla"].iter().any(|kind| name.starts_with(kind)) {
            let text = std::fs::read_to_string(&path).expect("a golden file");
            collect(&serde_json::from_str(&text).expect("JSON"), &mut shapes);
        }
    }
    shapes.sort();
    shapes.dedup();
    assert!(shapes.len() > 1500, "{} shapes", shapes.len());
    shapes
}

/// One change of a text, at a position modulo its length.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Delete(usize),
    Insert(usize, String),
    Replace(usize, char),
    Swap(usize),
    Truncate(usize),
    /// The number at or after the position.
    Number(usize, String),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    // A string of one character that matches the pattern.
    let character = || prop_oneof![9 => "[\\[\\](){}<>:,*?=+#/ \n0-9TLESMCPDabfsu_~-]", 1 => any::<char>().prop_map(String::from)];
    let piece = proptest::sample::select(vec![
        "T(8,128)",
        "(2,1)",
        "T",
        "()",
        "L(3)",
        "E(4)",
        "S(1)",
        "SC(0:1)",
        "(1:2,4)",
        "M(8)",
        "D(D,C+~)",
        "#(u32)",
        "P(f32[2])",
        "<=",
        "?",
        "*",
        "/*x*/",
        "//y\n",
        " padded to [9,9] with one",
        "token[]",
        "b(f32[])",
        "é",
    ]);
    let number = proptest::sample::select(vec![
        "0",
        "1",
        "7",
        "-1",
        "127",
        "128",
        "65536",
        "4294967296",
        "4611686018427387904",
        "9223372036854775807",
        "9223372036854775808",
        "340282366920938463463374607431768211456",
    ]);
    prop_oneof![
        any::<usize>().prop_map(Change::Delete),
        (any::<usize>(), character()).prop_map(|(at, text)| Change::Insert(at, text)),
        (any::<usize>(), piece).prop_map(|(at, text)| Change::Insert(at, text.to_string())),
        (any::<usize>(), character())
            .prop_map(|(at, text)| Change::Replace(at, text.chars().next().unwrap_or(' '))),
        any::<usize>().prop_map(Change::Swap),
        any::<usize>().prop_map(Change::Truncate),
        (any::<usize>(), number).prop_map(|(at, text)| Change::Number(at, text.to_string())),
    ]
}

pub(crate) fn changed(text: &str, change: &Change) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let position = |at: usize, len: usize| at % len.max(1);
    match change {
        Change::Delete(at) if !text.is_empty() => drop(text.remove(position(*at, text.len()))),
        Change::Insert(at, piece) => {
            let at = position(*at, text.len() + 1);
            text.splice(at..at, piece.chars());
        }
        Change::Replace(at, character) if !text.is_empty() => {
            let at = position(*at, text.len());
            text[at] = *character;
        }
        Change::Swap(at) if text.len() > 1 => {
            let at = position(*at, text.len() - 1);
            text.swap(at, at + 1);
        }
        Change::Truncate(at) => text.truncate(position(*at, text.len())),
        Change::Number(at, number) => {
            let from = position(*at, text.len());
            if let Some(start) = text[from..].iter().position(char::is_ascii_digit) {
                let start = from + start;
                let len = text[start..].iter().take_while(|c| c.is_ascii_digit()).count();
                text.splice(start..start + len, number.chars());
            }
        }
        _ => {}
    }
    text.into_iter().collect()
}
