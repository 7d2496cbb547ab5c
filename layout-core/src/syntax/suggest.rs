use crate::dtype::DType;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The element type that was probably meant: a name from another language, or a misspelling.
pub(crate) fn element_type(word: &str) -> Option<&'static str> {
    // A long word is not a misspelling, and computing the distance is quadratic.
    if word.len() > 24 {
        return None;
    }
    known_element_type(word)
        .or_else(|| nearest_type(&foreign(word)).map(DType::name))
        .or_else(|| misspelled_elsewhere(word))
}

/// The type whose name in another language is misspelled: `flaot`.
fn misspelled_elsewhere(word: &str) -> Option<&'static str> {
    let names = SHORT.map(|(name, _)| name);
    nearest(word, &names).and_then(known_element_type)
}

/// The element type that has this name, here or in another language.
pub(crate) fn known_element_type(word: &str) -> Option<&'static str> {
    if word.len() > 24 {
        return None;
    }
    DType::from_name(&foreign(word)).map(DType::name)
}

/// Whether a word is named as type parameters usually are: `T`.
pub(crate) fn is_type_parameter(word: &str) -> bool {
    matches!(word.as_bytes(), [b'A'..=b'Z'])
}

/// Names of types without their width or their format in PyTorch, C and CUDA, with their names in XLA.
const SHORT: [(&str, &str); 31] = [
    ("bool", "pred"),
    ("boolean", "pred"),
    ("half", "f16"),
    ("float", "f32"),
    ("double", "f64"),
    ("short", "s16"),
    ("int", "s32"),
    ("long", "s64"),
    ("byte", "u8"),
    ("char", "s8"),
    ("cfloat", "c64"),
    ("cdouble", "c128"),
    ("nvbfloat16", "bf16"),
    ("halft", "f16"),
    ("bfloat", "bf16"),
    ("brain", "bf16"),
    ("tf32", "f32"),
    ("f8", "f8e4m3fn"),
    ("fp8", "f8e4m3fn"),
    ("float8", "f8e4m3fn"),
    ("fp8e4m3", "f8e4m3fn"),
    ("e4m3", "f8e4m3fn"),
    ("fp8e5m2", "f8e5m2"),
    ("e5m2", "f8e5m2"),
    ("f4", "f4e2m1fn"),
    ("fp4", "f4e2m1fn"),
    ("e2m1", "f4e2m1fn"),
    ("f4e2m1", "f4e2m1fn"),
    ("e8m0", "f8e8m0fnu"),
    ("ue8m0", "f8e8m0fnu"),
    ("f8e8m0", "f8e8m0fnu"),
];

/// XLA's name of a type of numpy, PyTorch, Rust or MLIR: `float32`, `half`, `i8`, `bool`.
fn foreign(word: &str) -> String {
    let word = word.to_ascii_lowercase().replace('_', "");
    if let Some(xla) = with_byte_order(&word) {
        return xla;
    }
    if let Some((_, xla)) = SHORT.iter().find(|(name, _)| *name == word) {
        return (*xla).into();
    }
    for (prefix, xla) in [
        ("bfloat", "bf"),
        ("float", "f"),
        ("uint", "u"),
        ("int", "s"),
        ("i", "s"),
        ("complex", "c"),
    ] {
        match word.strip_prefix(prefix) {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                return format!("{xla}{rest}");
            }
            _ => {}
        }
    }
    word
}

/// XLA's name of a type that numpy writes with its byte order and the number of its bytes: `<f4`.
fn with_byte_order(word: &str) -> Option<String> {
    let (kind, bytes) = word.strip_prefix(['<', '>', '=', '|'])?.split_at_checked(1)?;
    let bits = 8 * bytes.parse::<u8>().ok().filter(|bytes| *bytes <= 16)?;
    match kind {
        "b" => Some("pred".into()),
        "i" => Some(format!("s{bits}")),
        _ => Some(format!("{kind}{bits}")),
    }
}

/// The type with the name nearest to `word`, if it is near enough.
fn nearest_type(word: &str) -> Option<DType> {
    let distances = DType::ALL.map(|dtype| (distance(word, dtype.name()), dtype));
    let best = distances
        .into_iter()
        .min_by_key(|(distance, dtype)| (*distance, unlikeness(word, dtype.name())));
    best.filter(|(distance, dtype)| *distance <= dtype.name().len().div_ceil(3))
        .map(|(_, dtype)| dtype)
}

/// The name nearest to `word`, if it is near enough.
pub fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    // A very long word is not a misspelling, and computing the distance is quadratic.
    if word.len() > 100 {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let distances = names.iter().map(|name| (distance(&lower, &name.to_ascii_lowercase()), *name));
    let best = distances.min_by_key(|(distance, name)| (*distance, unlikeness(&lower, name)));
    // In a short word, one wrong letter is a slip, but two wrong letters make a different word: `relu` is not `real`.
    let slip = match word.len() {
        0..2 => 0,
        2..5 => 1,
        5..9 => 2,
        _ => 3,
    };
    best.filter(|(distance, _)| *distance <= slip).map(|(_, name)| name)
}

/// Decides between names at the same distance: letters are exchanged, left out or added more often than replaced.
fn unlikeness(word: &str, name: &str) -> u8 {
    let sorted = |word: &str| {
        let mut letters = word.to_ascii_lowercase().into_bytes();
        letters.sort_unstable();
        letters
    };
    match (sorted(word) == sorted(name), word.len() != name.len()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// The number of insertions, deletions, substitutions and exchanges of neighbours that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // Keeps the last two rows, since an exchange involves two letters of each word.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = alloc::vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = core::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{element_type, nearest};

    #[test]
    fn finds_a_slip_and_nothing_far() {
        assert_eq!(element_type("bf17"), Some("bf16"));
        assert_eq!(element_type("F31"), Some("f32"));
        assert_eq!(element_type("f23"), Some("f32"));
        assert_eq!(element_type("b16"), Some("bf16"));
        assert_eq!(element_type("flaot"), Some("f32"));
        assert_eq!(nearest("tahn", &["tan", "tanh"]), Some("tanh"));
        assert_eq!(element_type("f8e4m3fnz"), Some("f8e4m3fn"));
        assert_eq!(element_type("tensor"), None);
        assert_eq!(element_type(&"f".repeat(1 << 20)), None);
    }

    #[test]
    fn knows_what_others_call_a_type() {
        for (word, name) in [
            ("float32", "f32"),
            ("bfloat16", "bf16"),
            ("int8", "s8"),
            ("i64", "s64"),
            ("uint4", "u4"),
            ("bool", "pred"),
            ("complex64", "c64"),
            ("float8_e4m3fn", "f8e4m3fn"),
            ("Float8E5M2", "f8e5m2"),
            ("half", "f16"),
            ("half_t", "f16"),
            ("fp8", "f8e4m3fn"),
            ("f8", "f8e4m3fn"),
            ("tf32", "f32"),
            ("__nv_bfloat16", "bf16"),
            ("long", "s64"),
            ("f8e8m0", "f8e8m0fnu"),
            ("<f4", "f32"),
            ("|i1", "s8"),
            ("<c16", "c128"),
            ("|b1", "pred"),
        ] {
            assert_eq!(element_type(word), Some(name), "{word}");
        }
    }
}
