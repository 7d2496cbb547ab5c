use super::offer::{Offer, is_asked_for};
use super::rust::{ReadRust, RustMistake, Text};
use super::written::written;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{borrow::ToOwned, format};
use core::fmt;

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name: `f32`, `T`, `padded`.
    Word(String),
    /// A decimal number without sign.
    Number(String),
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
    /// `<=`, in one piece.
    AtMost,
    /// Any other character, by itself.
    Symbol(char),
    /// A string, without its quotes.
    Text(String),
    /// A token that no notation uses: a number in another base, a character.
    Other(String),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Number(text) | Self::Other(text) => write!(f, "`{text}`"),
            Self::Text(text) => write!(f, "`{text:?}`"),
            Self::AtMost => f.write_str("`<=`"),
            Self::Open(c) | Self::Close(c) | Self::Symbol(c) => write!(f, "`{c}`"),
        }
    }
}

/// A position in the input: a single token, or a range of tokens.
pub trait Span: Copy {
    /// From the start of `self` to the end of `last`.
    #[must_use]
    fn to(self, last: Self) -> Self;
}

/// In text, the byte at which it starts.
impl Span for usize {
    fn to(self, _: Self) -> Self {
        self
    }
}

/// A token and its position.
#[derive(Clone, Debug)]
pub struct Token<S> {
    /// Its kind.
    pub kind: Kind,
    /// Its position.
    pub span: S,
}

/// A mistake and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic<S> {
    /// The position.
    pub span: S,
    /// What is wrong.
    pub message: String,
    /// What to write instead; empty if the message already says it.
    pub help: String,
}

/// The mistakes found so far.
pub type Diagnostics<S> = Vec<Diagnostic<S>>;

/// Parsing cannot continue; the diagnostics contain the reason.
pub(crate) struct Stop;

pub(crate) type Parsed<T> = Result<T, Stop>;

/// Reads tokens, and collects mistakes.
pub struct Cursor<'t, S> {
    tokens: &'t [Token<S>],
    at: usize,
    end: S,
    /// Reads Rust among the tokens; if it is `None`, the rules for text apply.
    rust: Option<&'t dyn ReadRust>,
    /// What the text that is being read looks like: the help for mistakes that have none of their own.
    form: &'static str,
    /// The names that can be at an editor's marker, if there is one.
    pub offered: Option<Offer>,
    /// The number of the last token that was not expected: what else is expected there is not a second mistake.
    unexpected: Option<usize>,
    /// The mistakes so far.
    pub diagnostics: Diagnostics<S>,
}

impl<'t, S: Span> Cursor<'t, S> {
    /// A cursor before the first of `tokens`; `end` is the position of mistakes about the end of the input.
    pub const fn new(tokens: &'t [Token<S>], end: S) -> Self {
        Self {
            tokens,
            at: 0,
            end,
            rust: None,
            form: "",
            offered: None,
            unexpected: None,
            diagnostics: Vec::new(),
        }
    }

    /// The same cursor, with a parser for the Rust among its tokens.
    #[must_use]
    pub fn with_rust(self, rust: &'t dyn ReadRust) -> Self {
        Self { rust: Some(rust), ..self }
    }

    pub(crate) fn peek(&self) -> Option<&'t Kind> {
        self.peek_nth(0)
    }

    pub(crate) fn peek_nth(&self, n: usize) -> Option<&'t Kind> {
        self.tokens.get(self.at + n).map(|token| &token.kind)
    }

    /// The position of the next token, or of the end.
    pub fn span(&self) -> S {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    /// The position of the last token that was read.
    #[cfg(any(feature = "sparse", feature = "sharding"))]
    pub(crate) fn last_span(&self) -> S {
        self.at.checked_sub(1).map_or(self.end, |last| self.tokens[last].span)
    }

    /// From `first` to the last token that was read.
    pub fn since(&self, first: S) -> S {
        match self.at.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(last) => first.to(last.span),
            None => first,
        }
    }

    pub(crate) fn next(&mut self) -> Option<&'t Token<S>> {
        let token = self.tokens.get(self.at);
        self.at += usize::from(token.is_some());
        token
    }

    /// Reads the next token if it is `kind`.
    pub(crate) fn take(&mut self, kind: &Kind) -> Option<S> {
        let span = self.span();
        (self.peek() == Some(kind)).then(|| {
            self.at += 1;
            span
        })
    }

    pub(crate) fn take_symbol(&mut self, symbol: char) -> bool {
        self.take(&Kind::Symbol(symbol)).is_some()
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Kind::Word(found)) if found == word)
    }

    /// Reads `kind`, or reports the token that was found instead.
    pub(crate) fn expect(&mut self, kind: &Kind) -> Parsed<S> {
        match self.take(kind) {
            Some(span) => Ok(span),
            None => {
                let at_end = self.peek().is_none();
                let help = if at_end { format!("write {kind}") } else { String::new() };
                Err(self.unexpected_with_help(&kind.to_string(), &help))
            }
        }
    }

    /// Reads the word `word`, or reports the token that was found instead.
    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<S> {
        self.expect(&Kind::Word(word.to_owned()))
    }

    /// Whether the list that has just been closed ends with a comma.
    pub(crate) fn follows_comma(&self) -> bool {
        self.at >= 2 && self.tokens[self.at - 2].kind == Kind::Symbol(',')
    }

    /// The token before the next one.
    pub(crate) fn last(&self) -> Option<&'t Kind> {
        self.at.checked_sub(1).map(|last| &self.tokens[last].kind)
    }

    /// Reads the delimiter that ends a list, or reports that a `,` could also follow.
    pub(crate) fn expect_close(&mut self, close: char) -> Parsed<S> {
        match self.take(&Kind::Close(close)) {
            Some(span) => Ok(span),
            None => {
                // Brackets that do not match, which only a text can have.
                let before_bracket = format!("write `{close}` before it");
                if let Some(stop) = self.power() {
                    return Err(stop);
                }
                let help = match (self.last(), self.peek()) {
                    (Some(Kind::Number(_) | Kind::Other(_)), Some(Kind::Symbol('.'))) => {
                        "write a number; there are no ranges here"
                    }
                    (
                        Some(Kind::Word(_) | Kind::Number(_)),
                        Some(Kind::Symbol(first @ (':' | '.' | '+' | '-' | '*' | '/'))),
                    ) if self.is_rust_operator(*first) => return Err(self.without_braces()),
                    (Some(Kind::Word(_)), Some(Kind::Word(word))) if word == "as" => {
                        return Err(self.without_braces());
                    }
                    (
                        _,
                        Some(
                            Kind::Number(_)
                            | Kind::Word(_)
                            | Kind::Text(_)
                            | Kind::Symbol(';' | '.' | '*'),
                        ),
                    )
                    | (Some(Kind::Close('}')), Some(Kind::Open('{'))) => {
                        "separate the items by commas"
                    }
                    (Some(Kind::Word(_)), Some(Kind::Symbol('='))) => {
                        "leave the name out: items are identified by their position"
                    }
                    (_, Some(Kind::Open(_) | Kind::Close(_)) | None) => &before_bracket,
                    _ => "",
                };
                Err(self.unexpected_with_help(&format!("`,` or `{close}`"), help))
            }
        }
    }

    /// Reports a power, `2^10` or `N**2`, of which the base has been taken.
    fn power(&mut self) -> Option<Stop> {
        let signs = match (self.peek()?, self.peek_nth(1)?) {
            (Kind::Symbol('^'), _) => 1,
            (Kind::Symbol('*'), Kind::Symbol('*')) => 2,
            _ => return None,
        };
        let Kind::Number(exponent) = self.peek_nth(signs)? else { return None };
        let power = |base: &str| base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?);
        let help = match self.last()? {
            Kind::Number(base) => format!("write `{}`", power(base)?),
            Kind::Word(base) => format!("write `{{{base}.pow({exponent})}}`"),
            _ => return None,
        };
        let first = self.tokens[self.at - 1].span;
        self.at += signs + 1;
        self.report(self.since(first), "a size is a number or an expression of Rust", help);
        Some(Stop)
    }

    /// Whether the symbol that comes next, after a word or a number, is an operator of Rust: not the `-` of `->` or a single `:`.
    fn is_rust_operator(&self, symbol: char) -> bool {
        let is_name = matches!(self.last(), Some(Kind::Word(_)));
        let is_called = self.peek_nth(2) == Some(&Kind::Open('('));
        match (symbol, self.peek_nth(1)) {
            (':', next) => is_name && next == Some(&Kind::Symbol(':')),
            // `SIZES.0`, `sizes.len()`
            ('.', Some(Kind::Number(_))) => is_name,
            ('.', _) => is_name && is_called,
            (_, None | Some(Kind::Symbol(',' | '>') | Kind::Close(_))) => false,
            _ => true,
        }
    }

    /// Reports an expression of which the first token has been taken, `ROWS * 2` or `sizes::ROWS`, with the braces that it needs.
    pub(crate) fn without_braces(&mut self) -> Stop {
        let first = self.at - 1;
        if self.unexpected == Some(first) {
            return Stop;
        }
        let rest = &self.tokens[first..];
        let mut ahead = Cursor::new(rest, self.end);
        while !matches!(ahead.peek(), None | Some(Kind::Symbol(',' | ';') | Kind::Close(_))) {
            if matches!(ahead.peek(), Some(Kind::Open(_))) {
                ahead.skip_group();
            } else {
                ahead.next();
            }
        }
        let mut help = match written(&rest[..ahead.at]).filter(|text| text.len() < 80) {
            Some(expression) => format!("write `{{{expression}}}`"),
            None => "write braces around it: `{ROWS * 2}`".to_owned(),
        };
        // Such names are those of parameters rather than those of constants.
        let expression = &rest[..ahead.at];
        let is_colon = |at: Option<usize>| {
            at.and_then(|at| expression.get(at))
                .is_some_and(|token| token.kind == Kind::Symbol(':'))
        };
        let parameter = expression.iter().enumerate().find_map(|(at, token)| match &token.kind {
            Kind::Word(word)
                if word.len() == 1
                    && word.starts_with(char::is_uppercase)
                    && !is_colon(at.checked_sub(1))
                    && !is_colon(Some(at + 1)) =>
            {
                Some(word)
            }
            _ => None,
        });
        if let Some(name) = parameter {
            help += &format!(
                "; rustc does not compute with parameters: if `{name}` is one, the result needs a parameter of its own"
            );
        }
        let span = ahead.since(rest[0].span);
        self.report(span, "an expression needs braces", help);
        Stop
    }

    /// Reports that the next token is not what was expected.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Stop {
        self.unexpected_with_help(expected, "")
    }

    /// Sets what the text that comes next looks like: `a mesh is written ["x"=2]`.
    pub(crate) const fn reads(&mut self, form: &'static str) {
        self.form = form;
    }

    /// Reads a part that looks like `form`.
    #[cfg(feature = "sharding")]
    pub(crate) fn reading<T>(
        &mut self,
        form: &'static str,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = core::mem::replace(&mut self.form, form);
        let part = read(self);
        self.form = around;
        part
    }

    /// [`Cursor::unexpected`] with a help that says what would be right.
    pub(crate) fn unexpected_with_help(&mut self, expected: &str, help: &str) -> Stop {
        // What is expected may already contain an example.
        let help = if help.is_empty() && !expected.contains(": `") { self.form } else { help };
        if self.unexpected != Some(self.at) {
            let found = self.peek().map_or_else(|| "the end".to_owned(), Kind::to_string);
            self.report(self.span(), format!("expected {expected}, found {found}"), help);
            self.unexpected = Some(self.at);
        }
        Stop
    }

    /// Says that the comma that comes next, which was reported in place of an item, is one too many; unless the help says so.
    pub(crate) fn doubled(&mut self) {
        let is_reported = self.unexpected == Some(self.at);
        if let Some(last) = self
            .diagnostics
            .last_mut()
            .filter(|last| is_reported && !last.help.starts_with("leave"))
        {
            last.help = "leave the `,` out, or write an item before it".into();
        }
    }

    /// The tokens that follow.
    pub(crate) fn rest(&self) -> &'t [Token<S>] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    /// The number of tokens that have been read.
    pub(crate) const fn taken(&self) -> usize {
        self.at
    }

    /// The position of mistakes about the end of the input.
    pub(crate) const fn end(&self) -> S {
        self.end
    }

    /// Continues from another cursor, which has read the remaining tokens in a rewritten form.
    pub(crate) fn finish(&mut self, other: Cursor<'_, S>) {
        self.at = match other.rest().first() {
            // The remaining tokens are the same in both cursors.
            Some(_) => self.tokens.len().saturating_sub(other.rest().len()),
            None => self.tokens.len(),
        };
        self.offered = self.offered.or(other.offered);
        self.diagnostics.extend(other.diagnostics);
    }

    /// Records what the next token can be, in case an editor requests completions there.
    pub(crate) fn offer(&mut self, offer: Offer) {
        if let Some(Kind::Word(word) | Kind::Text(word)) = self.peek()
            && is_asked_for(word)
        {
            self.offered = Some(offer);
        }
    }

    /// Records what a word among the next `count` tokens can be, in case an editor requests completions there.
    #[cfg(any(feature = "sparse", feature = "sharding"))]
    pub(crate) fn offer_among(&mut self, count: usize, offer: Offer) {
        let mut words = self.rest().iter().take(count);
        if words.any(|token| matches!(&token.kind, Kind::Word(word) if is_asked_for(word))) {
            self.offered = Some(offer);
        }
    }

    /// Adds a mistake.
    pub fn report(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic { span, message: message.into(), help: help.into() });
    }

    /// Reads the Rust that comes next without consuming it; `help` says what could be written there.
    pub(crate) fn rust<T>(
        &mut self,
        help: &str,
        read: impl Fn(&dyn ReadRust, usize) -> Result<T, RustMistake>,
    ) -> Parsed<T> {
        let result = match self.rust {
            Some(rust) => read(rust, self.at),
            None => read(&Text(self.tokens), self.at),
        };
        result.map_err(|RustMistake { at, message }| {
            let span = self.tokens.get(at).map_or(self.end, |token| token.span);
            self.report(span, message, help);
            Stop
        })
    }

    /// The number of tokens of the Rust type that comes next, if there is one.
    pub(crate) fn rust_type_len(&self) -> Option<usize> {
        let read = match self.rust {
            Some(rust) => rust.ty(self.at),
            None => Text(self.tokens).ty(self.at),
        };
        read.ok().map(|ty| ty.len)
    }

    /// Consumes `count` tokens; returns their position, if there are any.
    pub(crate) fn take_many(&mut self, count: usize) -> Option<S> {
        let first = self.span();
        self.at = (self.at + count).min(self.tokens.len());
        (count > 0).then(|| self.since(first))
    }

    /// The number of tokens of the group whose opening delimiter is the next token.
    pub(crate) fn group_len(&self) -> usize {
        let mut ahead = Cursor::new(self.rest(), self.end);
        ahead.skip_group();
        ahead.at
    }

    /// The tokens from number `first` to the next one.
    pub(crate) fn from(&self, first: usize) -> &'t [Token<S>] {
        &self.tokens[first.min(self.at)..self.at]
    }

    /// Reports any text that follows `what`.
    pub fn expect_end_of(&mut self, what: &str) {
        if let Some(found) = self.peek() {
            let help = match (found, self.peek_nth(1), self.peek_nth(2)) {
                (Kind::Word(word), Some(Kind::Symbol('=')), _)
                | (Kind::Word(_), Some(Kind::Word(word)), Some(Kind::Symbol('='))) => {
                    format!("a comma comes before it: `, {word} = ..`")
                }
                (Kind::Symbol(';' | ','), None, _) => "leave it out".to_owned(),
                _ => match written(self.rest())
                    .filter(|rest| rest.len() < 80 && !rest.contains('['))
                {
                    Some(rest) => format!("leave `{rest}` out"),
                    None => format!("nothing follows {what}"),
                },
            };
            self.report(self.span(), format!("expected the end of {what}, found {found}"), help);
        }
    }
}
