//! Lists of an element type and sizes: calls of Python, generic types, arrays of Rust, and sizes before the element type.

use super::super::array::ARRAY;
use super::created::created;
use crate::syntax::{Kind, Token, element_type, known_element_type, written};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A list of an element type and sizes (a call of Python, or a generic type), and its translation: `f32[3,5]` for
/// `torch.empty(3, 5, dtype=torch.float32)` and for `Tensor<f32, 3, 5>`. `None` if the list is ambiguous.
pub(super) fn listed<S>(tokens: &[Token<S>]) -> Option<(&'static str, String)> {
    let name = path_len(tokens);
    let found = match tokens.get(name).map(|token| &token.kind)? {
        Kind::Open('(') => {
            let (path, call) = tokens.split_at(name);
            return created(path, call).map(|array| ("a call", array));
        }
        // A number after a parameter that is not an element type is a rank: `Tensor<B, 2, Int>`.
        Kind::Symbol('<') if is_parameter(&tokens[name + 1..]) => return None,
        Kind::Symbol('<') => "a generic type",
        // `tl.tensor[128, tl.float16]`
        Kind::Open('[') if name > 1 => "a type of Python",
        _ => return None,
    };
    // Eigen stores columns one after the other, and the number of its tensors is their rank.
    let is_eigen = |token: &Token<S>| matches!(&token.kind, Kind::Word(word) if word == "Eigen");
    if tokens[..name].iter().any(is_eigen) {
        return None;
    }
    let (mut dtype, mut sizes, mut ends) = (None, Vec::new(), false);
    let mut is_column_major = false;
    for (at, token) in tokens.iter().enumerate().skip(name + 1) {
        match &token.kind {
            Kind::Word(word) => {
                match word.as_str() {
                    "order" => match tokens.get(at + 2).map(|token| &token.kind)? {
                        Kind::Text(order) if order == "F" => is_column_major = true,
                        Kind::Text(order) if order == "C" => {}
                        _ => return None,
                    },
                    "layout_left" => is_column_major = true,
                    // What is not translated: other layouts, and ranks instead of sizes.
                    "strides" | "stride" | "layout_stride" | "dynamic_extent" | "dextents" => {
                        return None;
                    }
                    _ => {}
                }
                dtype = dtype.or_else(|| known_element_type(word));
                // The value of a keyword is not a size, unless the keyword is `shape`.
                let is_keyword =
                    tokens.get(at + 1).map(|token| &token.kind) == Some(&Kind::Symbol('='));
                ends |=
                    !sizes.is_empty() || is_keyword && !matches!(word.as_str(), "shape" | "size");
            }
            Kind::Text(text) => dtype = dtype.or_else(|| known_element_type(text)),
            Kind::Number(size) if !ends => sizes.push(size.as_str()),
            // The sizes end before a layout.
            Kind::Open('{') if ends => break,
            Kind::Close(_) => ends |= !sizes.is_empty(),
            Kind::Number(_) => return None,
            _ => {}
        }
    }
    let dtype = dtype.filter(|_| !sizes.is_empty())?;
    let order: Vec<_> = (0..sizes.len()).map(|dim| dim.to_string()).collect();
    let order = if is_column_major { format!("{{{}}}", order.join(",")) } else { String::new() };
    Some((found, format!("{dtype}[{}]{order}", sizes.join(","))))
}

/// Whether a list of the arguments of a generic type begins with the name of a type that is not an element type.
fn is_parameter<S>(list: &[Token<S>]) -> bool {
    matches!(list, [Token { kind: Kind::Word(word), .. }, comma, ..]
        if comma.kind == Kind::Symbol(',') && known_element_type(word).is_none())
}

/// The number of tokens of the path that these tokens begin with.
fn path_len<S>(tokens: &[Token<S>]) -> usize {
    let is_path = |token: &&Token<S>| matches!(token.kind, Kind::Word(_) | Kind::Symbol('.' | ':'));
    tokens.iter().take_while(is_path).count()
}

/// Whether a path is called.
pub(super) fn is_call<S>(tokens: &[Token<S>]) -> bool {
    tokens.get(path_len(tokens)).is_some_and(|token| token.kind == Kind::Open('('))
}

/// The sizes without an element type: `torch.Size([3, 5])`, `(3, 5)` or `[3, 5]`.
pub(super) fn sizes_alone<S>(tokens: &[Token<S>]) -> Option<String> {
    let name = path_len(tokens);
    // A call of an element type, `f32(3,5)`, has one, and the numbers of most other calls are not sizes.
    if let Some(last) = tokens[..name].last() {
        const SIZES: [&str; 8] =
            ["Size", "Shape", "TensorShape", "zeros", "ones", "empty", "rand", "randn"];
        let are_sizes = matches!(&last.kind, Kind::Word(word) if SIZES.contains(&word.as_str()));
        if name == 1 || !are_sizes {
            return None;
        }
    }
    let mut inner = &tokens[name..];
    while let [
        Token { kind: Kind::Open('(' | '['), .. },
        items @ ..,
        Token { kind: Kind::Close(')' | ']'), .. },
    ] = inner
    {
        inner = items;
    }
    let is_size = |token: &Token<S>| matches!(token.kind, Kind::Number(_) | Kind::Symbol(','));
    let is_listed = inner.len() < tokens.len() - name
        && inner.iter().any(|token| matches!(token.kind, Kind::Number(_)));
    let sizes = (is_listed && inner.iter().all(is_size)).then(|| written(inner)).flatten()?;
    Some(sizes.trim_end_matches(',').to_string())
}

/// The sizes of `(3, 5)` or `((3, 5))` alone.
pub(super) fn in_parentheses<S>(tokens: &[Token<S>]) -> Option<String> {
    let (mut inner, mut is_in) = (tokens, false);
    while let [
        Token { kind: Kind::Open('('), .. },
        items @ ..,
        Token { kind: Kind::Close(')'), .. },
    ] = inner
    {
        (inner, is_in) = (items, true);
    }
    let is_size = |token: &Token<S>| matches!(token.kind, Kind::Number(_) | Kind::Symbol(','));
    let sizes = (is_in && inner.iter().all(is_size)).then(|| written(inner)).flatten()?;
    Some(sizes.trim_end_matches(',').to_string())
}

/// The translation of `(3, 5), f32`.
pub(super) fn sizes_first<S>(tokens: &[Token<S>]) -> Option<String> {
    let [sizes @ .., comma, Token { kind: Kind::Word(dtype), .. }] = tokens else { return None };
    if comma.kind != Kind::Symbol(',') {
        return None;
    }
    let dtype = known_element_type(dtype)?;
    in_parentheses(sizes).map(|sizes| format!("{dtype}[{sizes}]"))
}

/// The translation of `[[f32; 5]; 3]`, whose innermost size is the last one, and of `[f32; 3, 5]`.
pub(super) fn rust_array<S>(tokens: &[Token<S>]) -> String {
    let dtype = tokens.iter().find_map(|token| match &token.kind {
        Kind::Word(word) => element_type(word),
        _ => None,
    });
    // The sizes after each semicolon.
    let mut sizes: Vec<Vec<&str>> = Vec::new();
    let mut is_known = true;
    // A layout may follow.
    let layout = tokens.iter().position(|token| token.kind == Kind::Open('{'));
    let (tokens, layout) = tokens.split_at(layout.unwrap_or(tokens.len()));
    let layout = written(layout);
    for token in tokens {
        match &token.kind {
            Kind::Symbol(';') => sizes.push(Vec::new()),
            Kind::Number(size) if let Some(last) = sizes.last_mut() => last.push(size),
            Kind::Open('[') | Kind::Close(']') | Kind::Symbol(',') | Kind::Word(_) => {}
            _ => is_known = false,
        }
    }
    let sizes: Vec<&str> = sizes.into_iter().rev().flatten().collect();
    match dtype.filter(|_| is_known && !sizes.is_empty()) {
        Some(dtype) => {
            format!("write `{dtype}[{}]{}`", sizes.join(","), layout.unwrap_or_default())
        }
        None => ARRAY.into(),
    }
}
