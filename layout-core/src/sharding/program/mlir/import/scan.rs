//! Cuts the text of MLIR into tokens, one at a time, without storing earlier tokens.

use super::Failure;
use alloc::format;
use alloc::string::{String, ToString};

/// A token. Names do not include the character that marks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// `%3#1`, `%arg0`
    Value(&'t str),
    /// `@main`, `@"a b"`
    Symbol(&'t str),
    /// `^bb0`
    Block(&'t str),
    /// `"stablehlo.add"`, as it is written, without its quotes.
    Text(&'t str),
    /// `stablehlo.add`, `dims`
    Word(&'t str),
    /// `-1.0e+09`, `0xFF`
    Number(&'t str),
    /// `->`
    Arrow,
    /// Any other character.
    Mark(u8),
    End,
}

/// Reads the tokens in order.
#[derive(Clone)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    /// The next token.
    pub(super) token: Token<'t>,
    /// The position at which it begins.
    pub(super) start: usize,
    /// The position at which it ends.
    end: usize,
    /// The position at which the token before it ends.
    pub(super) last_end: usize,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, Failure> {
        let mut scanner =
            Self { text, token: Token::End, start: 0, end: 0, last_end: 0, is_first: true };
        scanner.next()?;
        scanner.is_first = true;
        Ok(scanner)
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        self.is_first = false;
        loop {
            match bytes.get(self.end) {
                Some(b'\n') => {
                    self.is_first = true;
                    self.end += 1;
                }
                Some(b' ' | b'\t' | b'\r') => self.end += 1,
                Some(b'/') if bytes.get(self.end + 1) == Some(&b'/') => {
                    let rest = &bytes[self.end..];
                    self.end += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// The end of the name whose bytes begin at `at`.
    fn name_end(&self, at: usize, more: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let belongs = |&byte: &u8| is_name(byte) || more(byte);
        at + rest.iter().position(|byte| !belongs(byte)).unwrap_or(rest.len())
    }

    /// The end of the string that begins at `at`, including its quote.
    fn string_end(&self, at: usize) -> Result<usize, Failure> {
        let bytes = self.text.as_bytes();
        let mut end = at + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'"' => return Ok(end + 1),
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        Err(Failure::new(at, "a string without its closing `\"`"))
    }

    /// Reads the token, and returns it.
    pub(super) fn next(&mut self) -> Result<Token<'t>, Failure> {
        let taken = self.token;
        self.last_end = self.end;
        self.skip_space();
        let (text, bytes, at) = (self.text, self.text.as_bytes(), self.end);
        self.start = at;
        let Some(&byte) = bytes.get(at) else {
            self.token = Token::End;
            return Ok(taken);
        };
        (self.token, self.end) = match byte {
            b'%' => {
                let mut end = self.name_end(at + 1, |b| b == b'-');
                if bytes.get(end) == Some(&b'#') {
                    end = self.name_end(end + 1, |_| false);
                }
                (Token::Value(&text[at + 1..end]), end)
            }
            b'@' if bytes.get(at + 1) == Some(&b'"') => {
                let end = self.string_end(at + 1)?;
                (Token::Symbol(&text[at + 1..end]), end)
            }
            b'@' => {
                let end = self.name_end(at + 1, |b| b == b'-');
                (Token::Symbol(&text[at + 1..end]), end)
            }
            b'^' => {
                let end = self.name_end(at + 1, |b| b == b'-');
                (Token::Block(&text[at + 1..end]), end)
            }
            b'"' => {
                let end = self.string_end(at)?;
                (Token::Text(&text[at + 1..end - 1]), end)
            }
            b'-' if bytes.get(at + 1) == Some(&b'>') => (Token::Arrow, at + 2),
            b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => self.number(at, at + 1),
            b'0'..=b'9' => self.number(at, at),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let end = self.name_end(at, |_| false);
                (Token::Word(&text[at..end]), end)
            }
            _ if byte.is_ascii() => (Token::Mark(byte), at + 1),
            _ => {
                let c = text[at..].chars().next().map_or(1, char::len_utf8);
                (Token::Mark(byte), at + c)
            }
        };
        Ok(taken)
    }

    fn number(&self, at: usize, digits: usize) -> (Token<'t>, usize) {
        let bytes = self.text.as_bytes();
        let is_hex = bytes[digits..].starts_with(b"0x");
        let mut end = self.name_end(digits, |_| false);
        let is_sign = |end: usize| matches!(bytes.get(end), Some(b'+' | b'-'));
        if !is_hex && matches!(bytes[end - 1], b'e' | b'E') && is_sign(end) {
            end = self.name_end(end + 1, |_| false);
        }
        (Token::Number(&self.text[at..end]), end)
    }

    /// The text from byte `from` to the end of the token before the next one.
    pub(super) fn since(&self, from: usize) -> &'t str {
        &self.text[from..self.last_end.max(from)]
    }

    pub(super) fn is_mark(&self, mark: u8) -> bool {
        self.token == Token::Mark(mark)
    }

    /// Reads the token if it is this character.
    pub(super) fn take(&mut self, mark: u8) -> Result<bool, Failure> {
        let is = self.is_mark(mark);
        if is {
            self.next()?;
        }
        Ok(is)
    }

    pub(super) fn expect(&mut self, mark: u8) -> Result<(), Failure> {
        match self.take(mark)? {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{}`", char::from(mark)))),
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> Failure {
        let message = format!("expected {expected}, found {}", self.found());
        Failure::new(self.start, message)
    }

    fn found(&self) -> String {
        match self.token {
            Token::End => "the end".to_string(),
            _ => format!("`{}`", &self.text[self.start..self.end]),
        }
    }

    /// Reads the text between angle brackets, including these; the next token must be `<`. Elements of constants are not read
    /// as tokens, however long they are.
    pub(super) fn angles(&mut self) -> Result<&'t str, Failure> {
        let (bytes, open) = (self.text.as_bytes(), self.start);
        let (mut depth, mut at) = (0_usize, self.start);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'<' => depth += 1,
                b'>' if bytes[at - 1] == b'-' => {}
                b'>' => depth -= 1,
                b'"' => at = self.string_end(at)? - 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                self.end = at;
                self.next()?;
                return Ok(&self.text[open..at]);
            }
        }
        Err(Failure::new(open, "`<` without its closing `>`"))
    }

    /// Reads everything up to the bracket that closes the next token, which must open one.
    pub(super) fn balanced(&mut self) -> Result<&'t str, Failure> {
        let open = self.start;
        let mut depth = 0_usize;
        loop {
            match self.token {
                Token::Mark(b'(' | b'[' | b'{') => depth += 1,
                Token::Mark(b')' | b']' | b'}') => {
                    let outer = depth.checked_sub(1);
                    depth = outer.ok_or_else(|| self.unexpected("an opening bracket"))?;
                }
                Token::Mark(b'<') => {
                    self.angles()?;
                    continue;
                }
                Token::End => return Err(Failure::new(open, "a bracket that is not closed")),
                _ => {}
            }
            self.next()?;
            if depth == 0 {
                return Ok(self.since(open));
            }
        }
    }
}
