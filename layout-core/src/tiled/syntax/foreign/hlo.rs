//! Lines of HLO, `%x = f32[8,128]{1,0} add(%a, %b)`.

use super::{is_assigned, report_first};
use crate::dtype::DType;
use crate::syntax::{Cursor, Kind, Span, Stop, Token, written};
use crate::tiled::syntax::shape::{ShapeSyntax, parse_shape};
use alloc::format;
use alloc::string::{String, ToString};

/// Reports a line of HLO, whose array is after the equals sign.
pub(super) fn line<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let tokens = cursor.rest();
    let message = "expected an array, found a line of HLO";
    let equals = tokens.iter().position(|token| token.kind == Kind::Symbol('='));
    let shape = equals.and_then(|equals| {
        let mut ahead = Cursor::new(&tokens[equals + 1..], cursor.end());
        // No shape has an equals sign before its brackets; another line would be reported here again.
        if is_assigned(&ahead) {
            return None;
        }
        let shape = parse_shape(&mut ahead).filter(|_| ahead.diagnostics.is_empty())?;
        matches!(shape, ShapeSyntax::Array(_)).then(|| written(ahead.from(0)))?
    });
    let help = match (shape, first_array(tokens, cursor.end())) {
        (Some(shape), _) => format!("write only the shape: `{shape}`"),
        (None, Some(array)) => format!("write only one of its arrays: `{array}`"),
        (None, None) => "write only the shape, which follows the `=`".to_string(),
    };
    report_first(cursor, tokens.len(), message, &help)
}

/// The first array of a line that has several: `entry_computation_layout={(f32[8]{0})->f32[8]{0}}`.
fn first_array<S: Span>(tokens: &[Token<S>], end: S) -> Option<String> {
    let begins = |pair: &[Token<S>]| match (&pair[0].kind, &pair[1].kind) {
        (Kind::Word(word), Kind::Open('[')) => DType::from_name(word).is_some(),
        _ => false,
    };
    let first = tokens.windows(2).position(begins)?;
    let mut ahead = Cursor::new(&tokens[first..], end);
    parse_shape(&mut ahead).filter(|_| ahead.diagnostics.is_empty())?;
    written(ahead.from(0))
}
