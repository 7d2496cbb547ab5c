//! Tokens as text, for a help that repeats a part of the input.

use super::cursor::{Kind, Token};
use alloc::format;
use alloc::string::{String, ToString};

/// The largest number of tokens that a help repeats.
const MAX_TOKENS: usize = 200;

/// The tokens without white space, except between words; `None` if there are too many to repeat.
pub(crate) fn written<S>(tokens: &[Token<S>]) -> Option<String> {
    if tokens.len() > MAX_TOKENS {
        return None;
    }
    let mut text = String::new();
    let mut after_word = false;
    for token in tokens {
        let (piece, is_word) = match &token.kind {
            Kind::Word(piece) | Kind::Number(piece) | Kind::Other(piece) => (piece.clone(), true),
            Kind::Text(piece) => (format!("{piece:?}"), true),
            Kind::AtMost => ("<=".to_string(), false),
            Kind::Open(c) | Kind::Close(c) | Kind::Symbol(c) => (c.to_string(), false),
        };
        if after_word && is_word {
            text.push(' ');
        }
        text += &piece;
        after_word = is_word;
    }
    Some(text)
}

/// Code in which each word, of letters, digits and `_`, is replaced by another one.
#[cfg(any(feature = "sparse", feature = "sharding"))]
pub(crate) fn with_words(code: &str, word: impl Fn(&str) -> String) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut text, mut rest) = (String::new(), code);
    while let Some(first) = rest.chars().next() {
        let ends = |c: char| is_letter(c) != is_letter(first);
        let (run, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        text += &word(run);
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::lex;
    use super::*;

    #[test]
    fn white_space_stands_between_words_alone() {
        let again = |text: &str| written(&lex(text));
        assert_eq!(again("f32[ 3, <= 5 ] {1,0 : T( 8 )}").as_deref(), Some("f32[3,<=5]{1,0:T(8)}"));
        assert_eq!(again("a  b \"c\"").as_deref(), Some("a b \"c\""));
        assert_eq!(again(&"a ".repeat(MAX_TOKENS + 1)), None);
    }
}
