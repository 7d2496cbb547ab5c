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
            '"' => match string(rest) {
                Some((value, len)) => (Some(Kind::Text(value)), len),
                None => (Some(Kind::Symbol('"')), 1),
            },
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

/// The string in the notation of MLIR at the start of a text: its value, and the position after its closing quote. After a backslash
/// come `"`, `\\`, `n`, `t`, or the two hexadecimal digits of a byte.
pub(crate) fn string(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let mut value = Vec::new();
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some((String::from_utf8(value).ok()?, at + 1)),
            b'\\' => {
                let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
                let code = digit(at + 1).zip(digit(at + 2)).map(|(high, low)| high * 16 + low);
                let (byte, len) = match (code, *bytes.get(at + 1)?) {
                    (Some(code), _) => (code as u8, 3),
                    (None, b'n') => (b'\n', 2),
                    (None, b't') => (b'\t', 2),
                    (None, byte @ (b'"' | b'\\')) => (byte, 2),
                    _ => return None,
                };
                value.push(byte);
                at += len;
            }
            byte => {
                value.push(byte);
                at += 1;
            }
        }
    }
}

fn run(
    text: &str,
    belongs: impl Fn(char) -> bool,
    kind: impl Fn(String) -> Kind,
) -> (Option<Kind>, usize) {
    let len = text.find(|c| !belongs(c)).unwrap_or(text.len());
    (Some(kind(text[..len].to_owned())), len)
}
