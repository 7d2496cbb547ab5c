//! Names of dimensions, levels and symbols: in MLIR, they may contain `$` and `.` after their first character.

use crate::syntax::{Cursor, Kind, Span};
use alloc::string::String;
use alloc::vec::Vec;

/// The names that the next tokens could be, from the shortest to the longest, each with the number of its tokens: for
/// `i.x floordiv 2` these are `i`, `i.` and `i.x`. Tokens do not show white space, so `i$ mod 2` could be `i$mod`; the declared
/// names decide.
pub(super) fn candidates<S: Span>(cursor: &Cursor<'_, S>) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    let mut name = String::new();
    for nth in 0.. {
        let piece = match cursor.peek_nth(nth) {
            Some(Kind::Word(word)) if nth == 0 => word.clone(),
            Some(Kind::Symbol(symbol @ ('$' | '.'))) if nth > 0 => String::from(*symbol),
            Some(Kind::Word(text) | Kind::Number(text) | Kind::Other(text))
                if name.ends_with(['$', '.']) && text.chars().all(belongs) =>
            {
                text.clone()
            }
            _ => break,
        };
        name.push_str(&piece);
        all.push((name.clone(), nth + 1));
    }
    all
}

/// Whether a character can be in a name.
fn belongs(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// Reads a name at a position that only allows a name. `None` if the next token is not a name.
pub(super) fn name<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<(String, S)> {
    let (name, tokens) = candidates(cursor).pop()?;
    let first = cursor.span();
    (0..tokens).for_each(|_| _ = cursor.next());
    Some((name, cursor.since(first)))
}
