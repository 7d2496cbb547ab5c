//! Slips of the pen: each token of right texts is left out, doubled, exchanged with the next one, misspelled, or replaced by one
//! that is like it. Nearly all of these slips must be one mistake, near the slip.
//!
//! ```text
//! f32[3,5]{1,0:T(2,2)}      the text
//! f32[3;5]{1,0:T(2,2)}      a slip at column 6: one mistake, at column 6
//! ```
#![cfg(all(feature = "sparse", feature = "sharding"))]

use layout_core::sharding::program::Program;
use layout_core::sharding::{Mesh, OpShardingRule, TensorSharding};
use layout_core::sparse::SparseEncoding;
use layout_core::sparse_kernel::syntax::read_kernel;
use layout_core::syntax::ParseError;
use layout_core::tiled::TiledSpec;
use std::ops::Range;

/// The greatest distance, in characters, of a mistake from the slip that caused it.
const NEAR: usize = 12;

/// The bytes of each token.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b' ' => continue,
            b'"' => at += text[at..].find('"').expect("a closing quote") + 1,
            b'-' if text[at..].starts_with('>') => at += 1,
            _ if is_word(start) => {
                while at < bytes.len() && is_word(at) {
                    at += 1;
                }
            }
            _ => {}
        }
        tokens.push(start..at);
    }
    tokens
}

/// What a token is mistaken for.
fn alike(token: &str) -> Vec<String> {
    let others: &[&str] = match token {
        "," => &[";", "."],
        ":" => &["=", ";"],
        "=" => &[":"],
        "(" => &["[", "{"],
        "[" => &["(", "{"],
        "{" => &["(", "["],
        ")" => &["]", "}"],
        "]" => &[")", "}"],
        "}" => &[")", "]"],
        "<" => &["(", "["],
        ">" => &[")"],
        "->" => &["=>", "-", ">"],
        _ if token.bytes().all(|byte| byte.is_ascii_digit()) => &["-1", "x", "1.5"],
        _ if token.len() > 2
            && token.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') =>
        {
            let half = token.len() / 2;
            let lacks_a_letter = format!("{}{}", &token[..half], &token[half + 1..]);
            return vec![lacks_a_letter, token.to_uppercase(), token.to_lowercase()];
        }
        _ => &[],
    };
    others.iter().map(|&other| other.into()).collect()
}

/// All slips in a text, each with its position.
fn slips(text: &str) -> Vec<(usize, String)> {
    let tokens = tokens(text);
    let mut slips = Vec::new();
    for (number, Range { start, end }) in tokens.iter().cloned().enumerate() {
        let token = &text[start..end];
        let replaced = |by: &str| (start, format!("{}{by}{}", &text[..start], &text[end..]));
        slips.push(replaced(""));
        slips.push(replaced(&format!("{token}{token}")));
        slips.extend(
            alike(token).iter().filter(|other| *other != token).map(|other| replaced(other)),
        );
        if let Some(next) = tokens.get(number + 1) {
            let (space, other) = (&text[end..next.start], &text[next.clone()]);
            let exchanged = format!("{}{other}{space}{token}{}", &text[..start], &text[next.end..]);
            slips.push((start, exchanged));
        }
    }
    slips
}

/// The share of the slips in the texts that are one mistake near them, of those that are mistakes at all.
fn reported(texts: &[&str], read: impl Fn(&str) -> Result<(), ParseError>) -> f64 {
    let (mut all, mut good) = (0u32, 0u32);
    for text in texts {
        read(text).expect("a text without a slip");
        for (at, slip) in slips(text) {
            let Err(error) = read(&slip) else { continue };
            all += 1;
            let column = slip[..at].chars().count() + 1;
            let is_good = match error.mistakes() {
                [only] => only.column.abs_diff(column) <= NEAR && !only.message.is_empty(),
                _ => false,
            };
            good += u32::from(is_good);
        }
    }
    assert!(all > 100, "only {all} slips are mistakes");
    f64::from(good) / f64::from(all)
}

macro_rules! parsed {
    ($T:ty) => {
        |text| text.parse::<$T>().map(drop)
    };
}

#[test]
fn slips_in_layouts_are_one_mistake() {
    let texts = [
        "f32[3,5]{1,0:T(2,2)}",
        "bf16[1000,384]{1,0:T(8,128)(2,1)}",
        "s4[64,256]{1,0:T(8,128)(8,1)E(4)S(1)}",
        "f32[<=16,128]{1,0:T(8,128)}",
        "f32[2,3,4]{2,1,0:T(2,*,4)L(1024)}",
    ];
    let share = reported(&texts, parsed!(TiledSpec));
    assert!(share > 0.90, "{share}");
}

#[test]
fn slips_in_encodings_are_one_mistake() {
    let texts = [
        "(i, j) -> (i : dense, j : compressed)",
        "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
        "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
        "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32 }>",
    ];
    let share = reported(&texts, parsed!(SparseEncoding));
    assert!(share > 0.85, "{share}");
}

#[test]
fn slips_in_meshes_are_one_mistake() {
    let texts = [r#"<["data"=2, "model"=4]>"#, r#"<["a"=4], device_ids=[3,2,1,0]>"#];
    let share = reported(&texts, parsed!(Mesh));
    assert!(share > 0.92, "{share}");
}

#[test]
fn slips_in_shardings_are_one_mistake() {
    let texts =
        [r#"<@Pod, [{"data"}, {"model", ?}]>"#, r#"<@m, [{"a","b"}, {?}], unreduced={"c"}>"#];
    let share = reported(&texts, parsed!(TensorSharding));
    assert!(share > 0.94, "{share}");
}

#[test]
fn slips_in_rules_are_one_mistake() {
    let texts = [
        "([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}",
        "([ij, k])->([i, j, k]) {i=2, j=4, k=8}",
    ];
    let share = reported(&texts, parsed!(OpShardingRule));
    assert!(share > 0.93, "{share}");
}

#[test]
fn slips_in_kernels_are_one_mistake() {
    let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
    let encodings = |name: &str| (name == "Csr").then_some(csr);
    let texts = [
        "fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }",
        "fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j], s: f64) -> c: Csr<f64>[i, j] { c[i, j] = s * a[i, j] + max(b[i, j], 0.0) }",
    ];
    let share = reported(&texts, |text| read_kernel(text, &encodings).map(drop));
    assert!(share > 0.85, "{share}");
}

#[test]
fn slips_in_programs_are_one_mistake() {
    let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
    let texts = [concat!(
        r#"mesh Pod; fn mlp(x: f32[4,8] [{"data"}, {}], w1: f32[8,16] [{}, {"model"}], w2: f32[16,8]) "#,
        "{ let h = dot(x, w1); let y = dot(tanh(h), w2); return y; }",
    )];
    let share = reported(&texts, |text| Program::new(text, &mesh).map(drop));
    assert!(share > 0.83, "{share}");
}
