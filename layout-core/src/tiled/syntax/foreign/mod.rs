//! The notations that other tools print for an array, recognized so that the help is the translation.

mod created;
mod cute;
mod hlo;
mod lists;
mod mlir;
mod strides;
#[cfg(test)]
mod tests;

use super::keywords;
use crate::dtype::DType;
use crate::syntax::{
    Cursor, Kind, Parsed, Span, Stop, Token, element_type, known_element_type, written,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The longest string that a help repeats.
const MAX_TEXT: usize = 400;

/// Reports a string, a line of HLO, or a type of MLIR instead of an array.
pub(super) fn foreign<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Text(_)), _) => Err(quoted(cursor)),
        (Some(Kind::Word(word)), Some(Kind::Symbol('<')))
            if matches!(word.as_str(), "tensor" | "memref" | "vector") =>
        {
            let (help, len) = mlir::mlir(cursor.rest());
            let message = "expected an array as XLA writes it, found a type of MLIR";
            Err(report_first(cursor, len, message, &help))
        }
        (Some(Kind::Number(_) | Kind::Other(_) | Kind::Symbol('?')), _)
            if let Some((help, len)) = mlir::without_brackets(cursor.rest()) =>
        {
            let message = "expected an array as XLA writes it, found a type of MLIR";
            Err(report_first(cursor, len, message, &help))
        }
        (Some(Kind::Word(word)), Some(Kind::Symbol('='))) if is_keyword(word) => {
            let help = match keywords::array(cursor.rest()) {
                Some(array) => format!("write `{array}`"),
                None => "the element type comes first, then the sizes: `f32[3,5]`".into(),
            };
            let message = format!("expected an array, found `{word}`");
            Err(report_rest(cursor, &message, &help))
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('.')))
            if let Some((name, len)) = in_module(cursor) =>
        {
            // `np.float32(3, 5)`
            if let Some(sizes) = lists::in_parentheses(&cursor.rest()[len..]) {
                let message = "expected an array as XLA writes it, found a call";
                return Err(report_rest(cursor, message, &format!("write `{name}[{sizes}]`")));
            }
            let help = format!("write `{name}`");
            Err(report_first(cursor, len, "the element type is written with a module", &help))
        }
        // `Float32[Array, "8 128"]` of jaxtyping.
        (Some(Kind::Word(dtype)), Some(Kind::Open('[')))
            if let Some((dtype, sizes)) = element_type(dtype).zip(named_sizes(cursor)) =>
        {
            let help = match sizes.is_empty() {
                true => format!("sizes are numbers and the names of constants: `{dtype}[8,128]`"),
                false => format!("write `{dtype}[{sizes}]`"),
            };
            let message = "expected an array as XLA writes it, found a type of Python";
            Err(report_first(cursor, cursor.rest().len(), message, &help))
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('<' | '.' | ':') | Kind::Open('(')))
        | (Some(Kind::Open('(')), _)
            if let Some(help) = cute::cute(cursor.rest()) =>
        {
            let message = "expected an array as XLA writes it, found a layout of CuTe";
            Err(report_rest(cursor, message, &help))
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('<' | '.' | ':') | Kind::Open('(' | '[')))
            if let Some((found, array)) = lists::listed(cursor.rest()) =>
        {
            let message = format!("expected an array as XLA writes it, found {found}");
            Err(report_rest(cursor, &message, &format!("write `{array}`")))
        }
        (Some(Kind::Word(_) | Kind::Open('(' | '[')), _)
            if let Some(sizes) = lists::sizes_alone(cursor.rest()) =>
        {
            let message = "expected an array as XLA writes it, found its sizes alone";
            let help = format!("an element type comes before the sizes: `f32[{sizes}]`");
            Err(report_rest(cursor, message, &help))
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('.' | ':')))
            if !is_assigned(cursor)
                && (lists::is_call(cursor.rest()) || !follows(cursor, &Kind::Open('['))) =>
        {
            Err(path(cursor))
        }
        (Some(Kind::Open('[')), Some(Kind::Word(_) | Kind::Open('['))) => Err(rust_array(cursor)),
        (Some(Kind::Open('(')), Some(Kind::Number(_) | Kind::Word(_)))
            if let Some(array) = lists::sizes_first(cursor.rest()) =>
        {
            let message = "expected an array as XLA writes it, found its sizes first";
            Err(report_rest(cursor, message, &format!("write `{array}`")))
        }
        (Some(Kind::Symbol('%')), _) | (Some(Kind::Word(_)), Some(Kind::Symbol('=' | '.')))
            if is_assigned(cursor) =>
        {
            Err(hlo::line(cursor))
        }
        (Some(Kind::Word(word)), Some(Kind::Symbol('%') | Kind::Word(_))) if word == "ROOT" => {
            Err(hlo::line(cursor))
        }
        (Some(Kind::Open('[')), Some(Kind::Number(_))) => sizes_before_type(cursor),
        (Some(Kind::Symbol(symbol @ ('*' | '&'))), Some(Kind::Word(_))) => {
            let (span, symbol) = (cursor.span(), *symbol);
            cursor.next();
            let message = format!("expected an element type, found `{symbol}`");
            let help = format!("leave the `{symbol}` out: an array is not a pointer");
            cursor.report(span, message, help);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether a token follows anywhere in the text, which is asked only of text that is wrong: it takes time linear in its length.
fn follows<S: Span>(cursor: &Cursor<'_, S>, kind: &Kind) -> bool {
    cursor.rest().iter().any(|token| token.kind == *kind)
}

/// Whether an equals sign comes before any bracket, as in a line of HLO.
fn is_assigned<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let before = |token: &&Token<S>| !matches!(token.kind, Kind::Open(_));
    cursor.rest().iter().take_while(before).any(|token| token.kind == Kind::Symbol('='))
}

/// The sizes of `Float32[Array, "8 128"]`; empty if some of them are not numbers.
fn named_sizes<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let [_, _, array, comma, sizes, close] = cursor.rest() else { return None };
    let (Kind::Word(_), Kind::Text(sizes)) = (&array.kind, &sizes.kind) else { return None };
    if comma.kind != Kind::Symbol(',') || close.kind != Kind::Close(']') {
        return None;
    }
    let sizes: Vec<&str> = sizes.split_whitespace().collect();
    let is_size = |size: &&str| size.bytes().all(|digit| digit.is_ascii_digit());
    Some(if sizes.iter().all(is_size) { sizes.join(",") } else { String::new() })
}

/// Whether an array whose parts have names begins with this name.
fn is_keyword(word: &str) -> bool {
    matches!(word, "shape" | "dtype" | "order" | "size" | "dims" | "layout" | "element_type")
}

/// Reports this number of tokens.
fn report_first<S: Span>(
    cursor: &mut Cursor<'_, S>,
    len: usize,
    message: &str,
    help: &str,
) -> Stop {
    let first = cursor.span();
    cursor.take_many(len);
    let span = cursor.since(first);
    cursor.report(span, message, help);
    Stop
}

/// Reports all tokens that remain within the brackets around them.
fn report_rest<S: Span>(cursor: &mut Cursor<'_, S>, message: &str, help: &str) -> Stop {
    let first = cursor.span();
    cursor.skip_to(|_| false);
    let span = cursor.since(first);
    cursor.report(span, message, help);
    Stop
}

/// Reports a string.
fn quoted<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let help = match cursor.peek() {
        Some(Kind::Text(text)) if (1..MAX_TEXT).contains(&text.trim().len()) => {
            format!("write it without quotes: `{}`", text.trim())
        }
        _ => "write it without quotes".to_string(),
    };
    report_first(cursor, 1, "expected an array, found a string", &help)
}

/// Reports a path, or a call that is not translated.
fn path<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let found = match cursor.rest().iter().any(|token| token.kind == Kind::Open('(')) {
        true => "a call",
        false => "a path",
    };
    let message = format!("expected an array as XLA writes it, found {found}");
    let help = "an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`";
    report_rest(cursor, &message, help)
}

/// Reports `[[f32; 5]; 3]`, and the layout that may follow.
fn rust_array<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let mut len = cursor.group_len();
    let after = Cursor::new(&cursor.rest()[len..], cursor.end());
    if after.peek() == Some(&Kind::Open('{')) {
        len += after.group_len();
    }
    let help = lists::rust_array(&cursor.rest()[..len]);
    let message = "expected an array as XLA writes it, found a type of Rust";
    report_first(cursor, len, message, &help)
}

/// Reports `[8,128] bf16`.
fn sizes_before_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let len = cursor.group_len();
    let comma = usize::from(cursor.peek_nth(len) == Some(&Kind::Symbol(',')));
    let dtype = match cursor.peek_nth(len + comma) {
        Some(Kind::Word(word)) => known_element_type(word),
        _ => None,
    };
    let Some((dtype, sizes)) = dtype.zip(written(&cursor.rest()[..len])) else {
        return Ok(());
    };
    let message = "expected an array as XLA writes it, found its sizes first";
    Err(report_rest(cursor, message, &format!("write `{dtype}{sizes}`")))
}

/// `torch.float32` and `jnp.bfloat16`: what XLA calls the type, and the number of tokens.
fn in_module<S: Span>(cursor: &Cursor<'_, S>) -> Option<(&'static str, usize)> {
    let mut len = 1;
    while cursor.peek_nth(len) == Some(&Kind::Symbol('.')) {
        len += 2;
    }
    let Some(Kind::Word(name)) = cursor.peek_nth(len - 1) else { return None };
    // A line of HLO assigns a value to such a name: `fusion.f32 = ..`.
    let is_type = cursor.peek_nth(len) != Some(&Kind::Symbol('='));
    let name = DType::from_name(name).map(DType::name).or_else(|| element_type(name));
    name.filter(|_| is_type).map(|name| (name, len))
}
