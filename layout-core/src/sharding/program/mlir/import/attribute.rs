//! Attributes of an operation, found in its text by their names, in either form.

use super::scan::{Scanner, Token};
use super::tree::{Piece, Syntax};
use alloc::vec::Vec;

impl<'t> Syntax<'t> {
    /// The text after `key =`, up to the end of its piece.
    pub(super) fn value(&self, key: &str) -> Option<&'t str> {
        let texts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) | Piece::Attributes(text, _) => Some(*text),
            _ => None,
        });
        let mut found = texts.filter_map(|text| {
            let mut candidates = text.match_indices(key).filter_map(|(at, _)| {
                let is_whole_word =
                    !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let rest = text[at + key.len()..].trim_start();
                rest.strip_prefix('=').filter(|_| is_whole_word).map(str::trim_start)
            });
            candidates.next()
        });
        found.next()
    }

    /// The value of the first of these names that the operation has.
    pub(super) fn any(&self, keys: &[&str]) -> Option<&'t str> {
        keys.iter().find_map(|key| self.value(key))
    }

    /// A list of numbers: `[1, 0]`, `array<i64: 1, 0>`; empty if there is none.
    pub(super) fn list(&self, keys: &[&str]) -> Vec<usize> {
        self.any(keys).map(numbers).unwrap_or_default()
    }

    /// Whether the attribute is `true`.
    pub(super) fn is_true(&self, key: &str) -> bool {
        self.value(key).is_some_and(|text| text.starts_with("true"))
    }

    /// A number: `1 : i64`. One that is negative or too large is `usize::MAX`, which is neither a dimension nor a size.
    pub(super) fn number(&self, keys: &[&str]) -> Option<usize> {
        Some(index(self.signed_number(keys)?))
    }

    /// A dimension of a tensor of this rank, which counts from the last one if it is negative: `-1 : i64`.
    pub(super) fn dimension(&self, keys: &[&str], rank: usize) -> Option<usize> {
        let number = self.signed_number(keys)?;
        Some(index(if number < 0 { number.saturating_add(rank as i128) } else { number }))
    }

    fn signed_number(&self, keys: &[&str]) -> Option<i128> {
        let text = self.any(keys)?;
        let digits = text.trim_start_matches('-');
        let digits = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        text[..text.len() - digits.len()].parse().ok()
    }

    /// The name of the function that a custom call calls.
    pub(super) fn target(&self) -> &'t str {
        if let Some(text) = self.value("call_target_name") {
            return text.trim_start_matches('"').split('"').next().unwrap_or("");
        }
        let texts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            _ => None,
        });
        let name = texts.filter_map(|text| text.split_once('@')).map(|(_, name)| name).next();
        let Some(name) = name else { return "" };
        if let Some(quoted) = name.strip_prefix('"') {
            return quoted.split('"').next().unwrap_or("");
        }
        name.split(['(', ' ']).next().unwrap_or("")
    }
}

/// A number as an index or a size; one that cannot be either is `usize::MAX`.
fn index(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

/// The numbers of the list at the start of a text. Those that are negative are `usize::MAX`.
pub(super) fn numbers(text: &str) -> Vec<usize> {
    signed(text).into_iter().map(index).collect()
}

/// A list of numbers with signs: `[1, -1]`, `array<i64: 1>`, `dense<[[1, 0]]> : tensor<1x2xi64>`.
pub(super) fn signed(text: &str) -> Vec<i64> {
    let Ok(mut scan) = Scanner::new(text) else { return Vec::new() };
    let mut numbers = Vec::new();
    let mut depth = 0_usize;
    loop {
        match scan.token {
            Token::Mark(b'[' | b'<') => depth += 1,
            Token::Mark(b']' | b'>') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return numbers;
                }
            }
            Token::Number(number) if depth > 0 => numbers.extend(number.parse::<i64>().ok()),
            Token::Word(_) | Token::Mark(b':' | b',') => {}
            _ => return numbers,
        }
        if scan.next().is_err() {
            return numbers;
        }
    }
}
