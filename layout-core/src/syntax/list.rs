//! Lists and integers.

use super::cursor::{Cursor, Kind, Parsed, Span, Stop};
use alloc::format;
use alloc::vec::Vec;

/// A number as written.
#[derive(Clone, Copy, Debug)]
pub struct Number<S> {
    /// Its value.
    pub value: i128,
    /// Its position.
    pub span: S,
}

/// Items separated by commas, up to and including `close`. Each item is read, even after one with a mistake.
pub(crate) fn list<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    item: impl FnMut(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let items = items(cursor, close, item)?;
    // Another item was meant to follow the last comma, which has been reported.
    let lacks_last = cursor.follows_comma();
    items.into_iter().collect::<Option<_>>().filter(|_| !lacks_last).ok_or(Stop)
}

/// Items separated by commas, up to and including `close`; `None` for an item with a mistake. Stops only if the list is not closed.
pub(crate) fn items<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    item: impl FnMut(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<Vec<Option<T>>> {
    separated(cursor, close, LastComma::Mistake, item)
}

/// Whether the last item of a list may be followed by a comma.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastComma {
    /// It may, as in Rust.
    Allowed,
    /// It may not, as in the notations of the compilers.
    Mistake,
}

/// [`items`], with a choice of whether a comma may follow the last item.
pub(crate) fn separated<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    last_comma: LastComma,
    mut item: impl FnMut(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<Vec<Option<T>>> {
    let mut items = Vec::new();
    if cursor.take(&Kind::Close(close)).is_some() {
        return Ok(items);
    }
    loop {
        let start = cursor.taken();
        let mut is_absent = false;
        match cursor.part(Cursor::at_separator, &mut item) {
            Ok(item) => items.push(Some(item)),
            Err(Stop) => {
                is_absent = cursor.taken() == start && !items.is_empty();
                if is_absent && cursor.peek() == Some(&Kind::Symbol(',')) {
                    cursor.doubled();
                }
                // No item follows the last comma.
                if !(is_absent && matches!(cursor.peek(), Some(Kind::Close(_)))) {
                    items.push(None);
                }
            }
        }
        if cursor.take_symbol(',') {
            // A doubled comma at the end has been reported as an absent item.
            if is_absent && cursor.take(&Kind::Close(close)).is_some() {
                return Ok(items);
            }
            if last_comma == LastComma::Allowed && cursor.take(&Kind::Close(close)).is_some() {
                return Ok(items);
            }
            continue;
        }
        if cursor.take(&Kind::Close(close)).is_some() {
            return Ok(items);
        }
        if let Some(last @ Some(_)) = items.last_mut() {
            let Err(Stop) = cursor.expect_close(close) else { return Ok(items) };
            // Without a comma, tokens that begin an item are read as the next item; any others belong to the item before.
            if begins_item(cursor, close) {
                continue;
            }
            *last = None;
            cursor.skip_to(Cursor::at_separator);
        }
        // A semicolon in place of a comma has been reported.
        let is_separated = cursor.take_symbol(',') || cursor.take_symbol(';');
        if cursor.take(&Kind::Close(close)).is_some() {
            return Ok(items);
        }
        if !is_separated {
            return Err(Stop);
        }
    }
}

/// Whether the tokens after an item begin another item, rather than continue this one.
fn begins_item<S: Span>(cursor: &Cursor<'_, S>, close: char) -> bool {
    match (cursor.peek(), cursor.peek_nth(1)) {
        // `[i j, k]`
        (Some(Kind::Word(_)), Some(Kind::Symbol(','))) => true,
        (Some(Kind::Word(_)), Some(Kind::Close(end))) => *end == close,
        // `([i, k] [k, j])`
        (Some(Kind::Open('[')), _) => cursor.last() == Some(&Kind::Close(']')),
        (Some(Kind::Number(_) | Kind::Text(_) | Kind::Open('{')), _) => true,
        // `i : dense j : compressed`
        (Some(Kind::Word(_)), Some(Kind::Symbol(':'))) => true,
        _ => false,
    }
}

pub(crate) fn number<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let first = cursor.span();
    let negative = cursor.take_symbol('-');
    let digits = match cursor.peek() {
        Some(Kind::Number(digits)) => digits,
        Some(Kind::Other(literal)) if literal.starts_with(|c: char| c.is_ascii_digit()) => {
            let message = format!("expected a decimal integer, found `{literal}`");
            let is_point = |c: char| c == '.' || c.is_ascii_digit();
            let help = match literal.split_once('.') {
                // A point in place of a comma.
                Some((whole, rest)) if !rest.is_empty() && literal.chars().all(is_point) => {
                    format!(
                        "write it without a fraction, or a comma between two numbers: `{whole},{rest}`"
                    )
                }
                _ => match integer_of(literal) {
                    Some(number) => format!("write `{number}`"),
                    None => "write it without a base, a fraction or a suffix".into(),
                },
            };
            cursor.report(cursor.span(), message, help);
            return Err(Stop);
        }
        Some(Kind::Text(text)) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            let help = format!("write it without quotes: `{text}`");
            return Err(cursor.unexpected_with_help("an integer", &help));
        }
        Some(Kind::Open(_)) => {
            let help = "the numbers have one pair of brackets: leave these out";
            return Err(cursor.unexpected_with_help("an integer", help));
        }
        _ => return Err(cursor.unexpected_with_help("an integer", "write a number")),
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

/// The integer that another literal of Rust is: `0x80`, `1e3`, `128_usize`.
fn integer_of(literal: &str) -> Option<u64> {
    let text = literal.replace('_', "");
    let radix = match text.get(..2) {
        Some("0x") => Some(16),
        Some("0o") => Some(8),
        Some("0b") => Some(2),
        _ => None,
    };
    if let Some(radix) = radix {
        return u64::from_str_radix(&text[2..], radix).ok();
    }
    if let Some((digits, exponent)) = text.split_once(['e', 'E']) {
        let power = 10_u64.checked_pow(exponent.parse().ok()?)?;
        return digits.parse::<u64>().ok()?.checked_mul(power);
    }
    let suffix = text.find(|c: char| !c.is_ascii_digit())?;
    let is_integer = text[suffix..].starts_with(['u', 'i']);
    text[..suffix].parse().ok().filter(|_| is_integer)
}
