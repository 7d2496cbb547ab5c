use super::cursor::{Kind, Token};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// Cuts text into tokens as XLA's lexer does: white space and both kinds of comments separate them. Linear in the length of the
/// text.
pub(crate) fn lex(text: &str) -> Vec<Token<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = match c {
            _ if c.is_whitespace() => (None, c.len_utf8()),
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(end) => (None, end + 4),
                None => (Some(Kind::Other("/*".to_owned())), rest.len()),
            },
            '<' if rest.starts_with("<=") => (Some(Kind::AtMost), 2),
            '"' => string(rest),
            '0'..='9' => run(rest, |c| c.is_ascii_digit(), Kind::Number),
            'a'..='z' | 'A'..='Z' | '_' => {
                run(rest, |c| c.is_ascii_alphanumeric() || c == '_', Kind::Word)
            }
            '(' | '[' | '{' => (Some(Kind::Open(c)), 1),
            ')' | ']' | '}' => (Some(Kind::Close(c)), 1),
            _ => (Some(Kind::Symbol(c)), c.len_utf8()),
        };
        tokens.extend(kind.map(|kind| Token { kind, span: at }));
        at += len;
    }
    tokens
}

/// A string in the notation of MLIR: `\"`, `\\`, `\n`, `\t`, and two hexadecimal digits after a backslash.
fn string(text: &str) -> (Option<Kind>, usize) {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (Some(Kind::Text(value)), at + 1),
            '\\' => {
                let code =
                    text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                match (chars.next(), code) {
                    (Some(_), Some(code)) if code.is_ascii() => {
                        chars.next();
                        value.push(code.into());
                    }
                    (Some((_, 'n')), _) => value.push('\n'),
                    (Some((_, 't')), _) => value.push('\t'),
                    (Some((_, c @ ('"' | '\\'))), _) => value.push(c),
                    _ => break,
                }
            }
            c => value.push(c),
        }
    }
    (Some(Kind::Symbol('"')), 1)
}

fn run(
    text: &str,
    belongs: impl Fn(char) -> bool,
    kind: impl Fn(String) -> Kind,
) -> (Option<Kind>, usize) {
    let len = text.find(|c| !belongs(c)).unwrap_or(text.len());
    (Some(kind(text[..len].to_owned())), len)
}
