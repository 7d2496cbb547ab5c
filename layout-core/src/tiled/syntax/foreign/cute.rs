//! Layouts of CuTe, `(3,5):(5,1)`.

use super::strides::Strided;
use crate::syntax::{Kind, Token, element_type};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The words of a layout that hold nothing by themselves.
const WORDS: [&str; 10] = [
    "Layout",
    "Shape",
    "Stride",
    "cute",
    "make_layout",
    "make_shape",
    "make_stride",
    "make_tuple",
    "shape",
    "stride",
];

/// A number: `8`, `_8`, `_8{}`, `Int<8>` or `Int<8>{}`; and the number of its tokens.
fn number<S>(tokens: &[Token<S>]) -> Option<(u64, usize)> {
    let kind = |at: usize| tokens.get(at).map(|token: &Token<S>| &token.kind);
    let (number, len) = match (kind(0)?, kind(1), kind(2), kind(3)) {
        (Kind::Number(number), ..) => (number.parse().ok()?, 1),
        (
            Kind::Word(word),
            Some(Kind::Symbol('<')),
            Some(Kind::Number(number)),
            Some(Kind::Symbol('>')),
        ) if word == "Int" || word == "C" => (number.parse().ok()?, 4),
        (Kind::Word(word), ..) => (word.strip_prefix('_')?.parse().ok()?, 1),
        _ => return None,
    };
    let has_braces =
        kind(len) == Some(&Kind::Open('{')) && kind(len + 1) == Some(&Kind::Close('}'));
    Some((number, if has_braces { len + 2 } else { len }))
}

/// The translation of `(3,5):(5,1)`, `f32((3,5),(5,1))`, `Layout<Shape<_3,_5>, Stride<_5,_1>>` or
/// `make_layout(make_shape(3, 5), make_stride(5, 1))`, whose strides determine the order of the dimensions.
pub(super) fn cute<S>(tokens: &[Token<S>]) -> Option<String> {
    let mut lists: Vec<Vec<u64>> = Vec::new();
    let mut dtype = None;
    // Without strides, the first dimension is contiguous.
    let (mut is_named, mut is_row_major) = (false, false);
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        match &token.kind {
            Kind::Open('(') | Kind::Symbol('<') => lists.push(Vec::new()),
            Kind::Number(_) | Kind::Word(_)
                if let Some((size, len)) = number(&tokens[tokens.len() - after.len() - 1..]) =>
            {
                lists.last_mut()?.push(size);
                rest = &after[len - 1..];
            }
            Kind::Word(word) if WORDS.contains(&word.as_str()) => {
                is_named |= matches!(word.as_str(), "Layout" | "make_layout");
            }
            Kind::Word(word) if word == "LayoutLeft" || word == "GenColMajor" => {}
            Kind::Word(word) if word == "LayoutRight" || word == "GenRowMajor" => {
                is_row_major = true;
            }
            Kind::Word(word) if after.len() + 1 == tokens.len() => {
                dtype = Some(element_type(word)?);
            }
            Kind::Open('{')
            | Kind::Close(')' | '}')
            | Kind::Symbol(':' | ',' | '>' | '.' | '=') => {}
            _ => return None,
        }
    }
    lists.retain(|list| !list.is_empty());
    let compact = |sizes: &[u64]| -> Option<Vec<u64>> {
        let mut strides = Vec::new();
        let mut len = 1_u64;
        for at in 0..sizes.len() {
            strides.push(len);
            let dim = if is_row_major { sizes.len() - 1 - at } else { at };
            len = len.checked_mul(sizes[dim])?;
        }
        if is_row_major {
            strides.reverse();
        }
        Some(strides)
    };
    let (sizes, strides) = match &lists[..] {
        [sizes, strides] => (sizes, strides.clone()),
        [sizes] if is_named => (sizes, compact(sizes)?),
        _ => return None,
    };
    if sizes.len() != strides.len() {
        return None;
    }
    let known: Vec<_> = sizes.iter().copied().map(Some).collect();
    let Some(layout) = Strided::of(&known, &strides) else {
        let help = "strides follow from the order of the dimensions, the one of stride 1 first, `{1,0}`; `padded to [3,8]` makes rows longer";
        return Some(help.into());
    };
    let sizes: Vec<_> = sizes.iter().map(ToString::to_string).collect();
    let (sizes, layout) = (sizes.join(","), layout.written());
    Some(match dtype {
        Some(dtype) => format!("write `{dtype}[{sizes}]{layout}`"),
        None => format!(
            "write the element type before the sizes, and the order of the strides, least first: `f32[{sizes}]{layout}`"
        ),
    })
}
