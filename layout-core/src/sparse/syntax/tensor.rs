use super::number::{instead_of, scalar_type};
use crate::sparse::ScalarType;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, element_type};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// `tensor<4x?xf64, ..>` without the encoding.
#[derive(Clone, Debug)]
pub struct TensorSyntax<S> {
    /// The sizes; `None` for `?`.
    pub dims: Vec<Option<usize>>,
    /// The element type.
    pub element: ScalarType,
    /// The tokens of both.
    pub span: S,
}

/// Reads up to and including the comma.
pub(super) fn tensor_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<TensorSyntax<S>> {
    if !cursor.is_word("tensor") {
        cursor.unexpected_with_help("`tensor`", "write `tensor`");
    }
    cursor.next();
    cursor.expect(&Kind::Symbol('<'))?;
    let first = cursor.span();
    // `4x8xf64` is one token or several, depending on its letters.
    let (mut text, mut in_quotes) = (String::new(), None);
    while let Some(kind) = cursor.peek() {
        match kind {
            Kind::Word(piece) | Kind::Number(piece) | Kind::Other(piece) => text.push_str(piece),
            // A type of numpy, `"<f4"`.
            Kind::Text(piece) => {
                text.push_str(piece);
                in_quotes = Some(cursor.span());
            }
            Kind::Symbol('?') => text.push('?'),
            _ => break,
        }
        cursor.next();
    }
    let span = cursor.since(first);
    let mut dims = Vec::new();
    let mut rest = text.as_str();
    while let Some((size, after)) = rest.split_once('x') {
        let size = match size {
            "?" => None,
            digits => match digits.parse::<isize>() {
                Ok(size @ 0..) => Some(size.unsigned_abs()),
                _ if ends_with_type(after) => {
                    let message = format!("expected a size, found `{digits}`");
                    cursor.report(
                        span,
                        message,
                        "a size is a number, or `?`: `tensor<4x?xf64, #CSR>`",
                    );
                    None
                }
                _ => break,
            },
        };
        dims.push(size);
        rest = after;
    }
    let element = match (rest, cursor.peek()) {
        ("complex", Some(Kind::Symbol('<'))) => {
            cursor.next();
            let part = scalar_type(cursor)?;
            cursor.expect(&Kind::Symbol('>'))?;
            match part {
                ScalarType::F32 => Some(ScalarType::Complex32),
                ScalarType::F64 => Some(ScalarType::Complex64),
                _ => None,
            }
        }
        _ if in_quotes.is_some() => None,
        _ => ScalarType::from_name(rest),
    };
    let Some(element) = element else {
        if rest.bytes().all(|byte| byte.is_ascii_digit())
            && cursor.peek() == Some(&Kind::Symbol(','))
        {
            let help = "an `x` follows each size: `tensor<4x6xf64, #CSR>`";
            return Err(cursor.unexpected_with_help("`x`", help));
        }
        let message = match in_quotes {
            Some(_) => "an element type has no quotes".into(),
            None => format!("unknown element type `{rest}`"),
        };
        cursor.report(in_quotes.unwrap_or(span), message, instead_of(rest));
        if rest.is_empty() || cursor.peek() != Some(&Kind::Symbol(',')) {
            return Err(Stop);
        }
        cursor.next();
        return Ok(TensorSyntax { dims, element: ScalarType::F64, span });
    };
    if !cursor.take_symbol(',') {
        let sizes: Vec<_> = dims
            .iter()
            .map(|size| size.map_or_else(|| "?".into(), |size| size.to_string()))
            .collect();
        let help = format!(
            "a sparse tensor has an encoding, `tensor<4x6xf64, #CSR>`, and a dense array is `{}[{}]`",
            element_type(rest).unwrap_or(rest),
            sizes.join(",")
        );
        return Err(cursor.unexpected_with_help("`,` and an encoding", &help));
    }
    Ok(TensorSyntax { dims, element, span })
}

/// Whether the sizes and the element type after a size end with a type that is known: `6xf64`.
fn ends_with_type(rest: &str) -> bool {
    rest.rsplit('x').next().is_some_and(|name| ScalarType::from_name(name).is_some())
}
