//! Brackets that do not match. In the input of a macro, rustc reports them itself.

use super::cursor::{Diagnostic, Diagnostics, Kind, Token};
use alloc::format;
use alloc::vec::Vec;

/// Leaves one mistake where the first two brackets do not match: what a grammar says about the tokens after them follows from it.
///
/// ```text
/// f32[3,5]{1,0:T8,128)}
///              ^ the grammar's mistake inside of the brackets is their cause: a value goes in parentheses
///                    ^ no mistake of its own, although a `{` is open here
/// ```
pub(super) fn without_consequences(tokens: &[Token<usize>], diagnostics: &mut Diagnostics<usize>) {
    let Some(Mismatch { open, at, close, otherwise }) = mismatch(tokens) else { return };
    diagnostics.sort_by_key(|mistake| mistake.span);
    let is_inside = |mistake: &Diagnostic<usize>| {
        open.is_none_or(|open| mistake.span >= open) && mistake.span < at.saturating_add(1)
    };
    let cause = diagnostics.iter().find(|mistake| is_inside(mistake)).cloned();
    diagnostics.retain(|mistake| open.is_some_and(|open| mistake.span < open));
    let cause = cause.filter(|cause| cause.span < at || open.is_some());
    diagnostics.push(match (cause, close) {
        (Some(cause), Some(close)) if cause.help.is_empty() => {
            Diagnostic { help: format!("write `{close}` before it"), ..cause }
        }
        (Some(cause), _) => cause,
        (None, _) => otherwise,
    });
}

/// Two brackets that do not match, or one that has no other.
struct Mismatch {
    /// The position of the opening one, and what would close it.
    open: Option<usize>,
    close: Option<char>,
    /// The position of the closing one, or the last position.
    at: usize,
    /// The mistake, if the grammar has found none.
    otherwise: Diagnostic<usize>,
}

fn mismatch(tokens: &[Token<usize>]) -> Option<Mismatch> {
    let mut open = Vec::new();
    for (number, Token { kind, span }) in tokens.iter().enumerate() {
        let found = match kind {
            Kind::Open(bracket) => {
                // A mistake at the token before a bracket may be about the bracket: `T[8,128)`.
                open.push((*bracket, tokens[number.saturating_sub(1)].span));
                continue;
            }
            Kind::Close(bracket) => *bracket,
            _ => continue,
        };
        match open.pop() {
            Some((bracket, _)) if partner(bracket) == found => {}
            Some((bracket, first)) => {
                let close = partner(bracket);
                let message = format!("`{bracket}` is closed by `{found}`");
                let help = format!("write `{close}`");
                let otherwise = Diagnostic { span: *span, message, help };
                return Some(Mismatch {
                    open: Some(first),
                    close: Some(close),
                    at: *span,
                    otherwise,
                });
            }
            None => {
                let angle = angle(&tokens[..number]);
                let (message, help) = match angle {
                    Some(_) => (format!("`<` is closed by `{found}`"), "write `>`".into()),
                    None => {
                        (format!("`{found}` closes nothing"), format!("leave the `{found}` out"))
                    }
                };
                let otherwise = Diagnostic { span: *span, message, help };
                let close = angle.map(|_| '>');
                return Some(Mismatch { open: angle, close, at: *span, otherwise });
            }
        }
    }
    let (bracket, span) = open.pop()?;
    let close = partner(bracket);
    let message = format!("`{bracket}` is not closed");
    let otherwise = Diagnostic { span, message, help: format!("close it with `{close}`") };
    Some(Mismatch { open: Some(span), close: Some(close), at: usize::MAX, otherwise })
}

/// The position of a `<` after which there is no `>`: `F32[3,5]<1,0}`.
fn angle(tokens: &[Token<usize>]) -> Option<usize> {
    let last = tokens.iter().rev().find(|token| matches!(token.kind, Kind::Symbol('<' | '>')))?;
    (last.kind == Kind::Symbol('<')).then_some(last.span)
}

fn partner(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

#[cfg(test)]
mod tests {
    use crate::sparse::SparseEncoding;
    use crate::tiled::TiledSpec;
    use alloc::string::{String, ToString};

    #[test]
    fn brackets_that_do_not_match_are_one_mistake() {
        let tiled = |text: &str| text.parse::<TiledSpec>().unwrap_err().to_string();
        let sparse = |text: &str| text.parse::<SparseEncoding>().unwrap_err().to_string();
        let cases: [(String, &str); 6] = [
            (
                tiled("f32[3,5]{1,0:T8,128)}"),
                "1:14: the value of `T` goes in parentheses (help: write `T(8,128)`)",
            ),
            (
                tiled("f32[3,5{1,0:T(2,2)}"),
                "1:8: expected `,` or `]`, found `{` (help: write `]` before it)",
            ),
            (
                tiled("f32[3,5]{1,0:T(2,2})"),
                "1:19: expected `,` or `)`, found `}` (help: write `)` before it)",
            ),
            (
                tiled("F32[3,5]<1,0}"),
                "1:13: expected `:` or `>`, found `}` (help: a layout is minor_to_major, and attributes after a colon: `{1,0:T(8,128)}`)",
            ),
            (
                sparse("(i, j)) -> (i : dense, j : compressed)"),
                "1:7: `)` closes nothing (help: leave the `)` out)",
            ),
            (
                sparse("(i, j) -> (i : dense, j : compressed"),
                "1:37: expected `,` or `)`, found the end (help: write `)` before it)",
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }
}
