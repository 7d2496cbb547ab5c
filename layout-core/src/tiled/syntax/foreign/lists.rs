//! Lists of an element type and sizes: calls of Python, generic types, arrays of Rust, and sizes before the element type.

use super::super::array::ARRAY;
use crate::syntax::{Kind, Token, element_type, known_element_type, written};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A list of an element type and sizes (a call of Python, or a generic type), and its translation: `f32[3,5]` for
/// `torch.empty(3, 5, dtype=torch.float32)` and for `Tensor<f32, 3, 5>`. `None` if the list is ambiguous.
pub(super) fn listed<S>(tokens: &[Token<S>]) -> Option<(&'static str, String)> {
    let path = |token: &&Token<S>| matches!(token.kind, Kind::Word(_) | Kind::Symbol('.'));
    let name = tokens.iter().take_while(path).count();
    let found = match tokens.get(name).map(|token| &token.kind)? {
        Kind::Open('(') => "a call",
        Kind::Symbol('<') => "a generic type",
        // `tl.tensor[128, tl.float16]`
        Kind::Open('[') if name > 1 => "a type of Python",
        _ => return None,
    };
    // A call of an element type, `f32(3,5)` or `float(..)`, is not the type of a tensor.
    if matches!(tokens, [Token { kind: Kind::Word(word), .. }, ..] if name == 1 && known_element_type(word).is_some())
    {
        return None;
    }
    let (mut dtype, mut sizes, mut ends) = (None, Vec::new(), false);
    for (at, token) in tokens.iter().enumerate().skip(name + 1) {
        match &token.kind {
            Kind::Word(word) => {
                // Keywords that describe the layout, which is not translated.
                if matches!(word.as_str(), "order" | "strides" | "stride") {
                    return None;
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
    Some((found, format!("{dtype}[{}]", sizes.join(","))))
}

/// The translation of `(3, 5), f32`.
pub(super) fn sizes_first<S>(tokens: &[Token<S>]) -> Option<String> {
    let [Token { kind: Kind::Open('('), .. }, sizes @ .., close, comma, dtype] = tokens else {
        return None;
    };
    let Kind::Word(dtype) = &dtype.kind else { return None };
    if close.kind != Kind::Close(')') || comma.kind != Kind::Symbol(',') {
        return None;
    }
    let dtype = known_element_type(dtype)?;
    let is_size = |token: &Token<S>| matches!(token.kind, Kind::Number(_) | Kind::Symbol(','));
    sizes
        .iter()
        .all(is_size)
        .then(|| written(sizes))
        .flatten()
        .map(|sizes| format!("{dtype}[{sizes}]"))
}

/// The translation of `[[f32; 5]; 3]`, whose innermost size is the last one, and of `[f32; 3, 5]`.
pub(super) fn rust_array<S>(tokens: &[Token<S>]) -> String {
    let dtype = tokens.iter().find_map(|token| match &token.kind {
        Kind::Word(word) => element_type(word),
        _ => None,
    });
    // The sizes behind each semicolon.
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
