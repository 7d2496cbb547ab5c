//! The lines on which a file defines types: tokens that are parsed from text have no positions.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::VecDeque;

/// The definitions of types in the rest of a file, in the order of the text.
#[derive(Clone)]
pub(crate) struct Lines(VecDeque<(String, usize)>);

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Words { text, at: 0, line: 1 };
        let (mut lines, mut follows) = (VecDeque::new(), false);
        while let Some((word, line)) = words.next() {
            if follows && word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                lines.push_back((word.to_owned(), line));
            }
            follows = word == "type";
        }
        Self(lines)
    }

    /// The line, counted from 1, of the next definition with this name.
    pub(crate) fn next(&mut self, name: &str) -> Option<usize> {
        while let Some((found, line)) = self.0.pop_front() {
            if found == name {
                return Some(line);
            }
        }
        None
    }

    /// Skips the types that tokens define.
    pub(crate) fn skip(&mut self, tokens: TokenStream) {
        let mut follows = false;
        for tree in tokens {
            match tree {
                TokenTree::Ident(word) => {
                    if follows {
                        self.next(&word.to_string());
                    }
                    follows = word == "type";
                    continue;
                }
                TokenTree::Group(group) => self.skip(group.stream()),
                _ => {}
            }
            follows = false;
        }
    }
}

/// The words and punctuation of Rust text, without comments and literals.
struct Words<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<(&'t str, usize)> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let (len, is_token) = match first {
                _ if first.is_whitespace() => (first.len_utf8(), false),
                '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
                '/' if rest.starts_with("/*") => (comment(rest), false),
                '"' => (string(rest), true),
                '\'' => (character(rest), true),
                'r' if rest.strip_prefix("r#").is_some_and(|name| name.starts_with(is_word)) => {
                    (2 + rest[2..].find(|c| !is_word(c)).unwrap_or(rest.len() - 2), true)
                }
                _ if is_word(first) => match raw(rest) {
                    Some(len) => (len, true),
                    None => (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), true),
                },
                _ => (first.len_utf8(), true),
            };
            let (piece, line) = (&rest[..len], self.line);
            self.line += piece.matches('\n').count();
            self.at += len;
            if is_token {
                return Some((piece, line));
            }
        }
    }
}

/// The length of a comment, which may contain other comments.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of a string, up to the closing quote.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            '"' if !escaped => return at + 1,
            _ => escaped = char == '\\' && !escaped,
        }
    }
    text.len()
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((after, _))) => {
            // The escaped character can itself be a quote.
            let from = after + text[after..].chars().next().map_or(0, char::len_utf8);
            text[from..].find('\'').map_or(text.len(), |end| from + end + 1)
        }
        (Some((_, char)), Some((at, '\''))) if char != '\'' => at + 1,
        _ => 1,
    }
}

/// The length of a raw string, or of a string or character literal with a prefix such as `b`.
fn raw(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(|prefix| {
        let rest = text.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(['"', '#', '\'']))
    })?;
    let rest = &text[prefix.len()..];
    if !prefix.ends_with('r') {
        return match rest.as_bytes()[0] {
            b'"' => Some(prefix.len() + string(rest)),
            b'\'' if prefix == "b" => Some(prefix.len() + character(rest)),
            _ => None,
        };
    }
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    // `r#type` is a name.
    if rest.as_bytes().get(hashes) != Some(&b'"') {
        return None;
    }
    let end = format!("\"{}", &rest[..hashes]);
    let start = prefix.len() + hashes + 1;
    Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_on_their_lines() {
        let text = r####"
// type A = u8;
/* type A /* type A */ type A */
fn f<'a>(x: &'a str) -> char { '"' }
const X: &str = "type A \" type A";
const Y: &str = r#"type A " type A"#;
const Z: (u8, char) = (b'\'', '\u{41}');
mod a {
    pub type
        A = u8;
}
struct r#type;
type r#in = u8;
type B = u8; type A = u16;
"####;
        let mut lines = Lines::of(text);
        assert_eq!(lines.next("A"), Some(10));
        assert_eq!(lines.next("r#in"), Some(13));
        assert_eq!(lines.next("B"), Some(14));
        assert_eq!(lines.next("A"), Some(14));
        assert_eq!(lines.next("A"), None);
        // Tokens pass the same definitions.
        let mut lines = Lines::of(text);
        lines.skip(text.parse().expect("tokens"));
        assert_eq!(lines.next("A"), None);
    }
}
