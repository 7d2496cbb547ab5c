use super::brackets::without_consequences;
use super::{Cursor, Diagnostics, ParseError, Token, lex};

/// Reads a whole text, described by `what`, and lowers its syntax.
pub(crate) fn read_text<T, Y>(
    text: &str,
    what: &str,
    parse: impl FnOnce(&mut Cursor<'_, usize>) -> Option<Y>,
    lower: impl FnOnce(&Y, &mut Diagnostics<usize>) -> Option<T>,
) -> Result<T, ParseError> {
    let tokens = lex(text);
    let mut cursor = Cursor::new(&tokens, text.len());
    let syntax = parse(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of(what);
    }
    let mut diagnostics = cursor.diagnostics;
    let made = syntax.and_then(|syntax| lower(&syntax, &mut diagnostics));
    match made {
        Some(made) if diagnostics.is_empty() => Ok(made),
        _ => Err(failed(text, &tokens, diagnostics)),
    }
}

/// The error for a text with these mistakes.
pub(crate) fn failed(
    text: &str,
    tokens: &[Token<usize>],
    mut diagnostics: Diagnostics<usize>,
) -> ParseError {
    without_consequences(tokens, &mut diagnostics);
    ParseError::new(text, diagnostics)
}
