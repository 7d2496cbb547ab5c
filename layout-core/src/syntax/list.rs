//! Lists and integers.

use super::cursor::{Cursor, Kind, Parsed, Span, Stop};
use alloc::format;
use alloc::vec::Vec;

/// A number as written.
#[derive(Clone, Copy, Debug)]
pub struct Number<S> {
    /// Its value.
    pub value: i128,
    /// Where it stands.
    pub span: S,
}

/// Items with commas between them, up to behind `close`.
pub(crate) fn list<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    mut item: impl FnMut(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut items = Vec::new();
    if cursor.take(&Kind::Close(close)).is_some() {
        return Ok(items);
    }
    loop {
        items.push(item(cursor)?);
        if !cursor.take_symbol(',') {
            cursor.expect_close(close)?;
            return Ok(items);
        }
    }
}

pub(crate) fn number<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let first = cursor.span();
    let negative = cursor.take_symbol('-');
    let digits = match cursor.peek() {
        Some(Kind::Number(digits)) => digits,
        Some(Kind::Other(literal)) if literal.starts_with(|c: char| c.is_ascii_digit()) => {
            let message = format!("expected a decimal integer, found `{literal}`");
            cursor.report(
                cursor.span(),
                message,
                "write it without a base, a fraction or a suffix",
            );
            return Err(Stop);
        }
        _ => return Err(cursor.unexpected("an integer")),
    };
    cursor.next();
    let span = cursor.since(first);
    match digits.parse::<isize>() {
        Ok(magnitude) => {
            let value = i128::from(magnitude as i64);
            Ok(Number { value: if negative { -value } else { value }, span })
        }
        Err(_) => {
            let help = format!("the largest is {}", isize::MAX);
            cursor.report(span, "integer literal is too large", help);
            Err(Stop)
        }
    }
}
