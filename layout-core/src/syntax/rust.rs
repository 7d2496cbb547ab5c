//! Rust within a notation: attributes, types and expressions, which a macro reads with a Rust parser.

use super::cursor::{Kind, Token};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Reads the Rust within a notation. Positions and lengths are numbers of tokens.
///
/// The macros implement it with a Rust parser. For text at run time the rules are simpler, because there are no closures to call.
pub trait ReadRust {
    /// The attributes and the visibility at token `at`, either of which may be absent.
    ///
    /// # Errors
    /// If an attribute or a visibility begins there but is not complete.
    fn head(&self, at: usize) -> Result<Head, RustMistake>;

    /// The type at token `at`.
    ///
    /// # Errors
    /// If there is no type.
    fn ty(&self, at: usize) -> Result<TypeParts, RustMistake>;

    /// The length of the expression at token `at`, which ends at a comma.
    ///
    /// # Errors
    /// If there is no expression.
    fn expression(&self, at: usize) -> Result<usize, RustMistake>;
}

/// The help about the text before the keyword of an item, with an example.
pub(crate) const HEAD: &str = "attributes and a visibility precede `fn`: `#[inline] pub fn`";

/// The text before the keyword of an item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The length of each attribute.
    pub attributes: Vec<usize>,
    /// The length of the visibility; 0 if it is inherited.
    pub visibility: usize,
}

/// The parts of a type: `Csr::<f64>` has 6 tokens; the first is its path, and the fifth its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeParts {
    /// The length of the type.
    pub len: usize,
    /// The length of its path, without the arguments of the last segment.
    pub path: usize,
    /// The positions of these arguments, relative to the start of the type.
    pub arguments: Vec<Range<usize>>,
}

/// A mistake in the Rust at a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RustMistake {
    /// The token.
    pub at: usize,
    /// The mistake.
    pub message: String,
}

/// The rules for text: brackets are counted, and words are accepted as they are.
pub(super) struct Text<'t, S>(pub(super) &'t [Token<S>]);

impl<S> Text<'_, S> {
    fn kind(&self, at: usize) -> Option<&Kind> {
        self.0.get(at).map(|token| &token.kind)
    }

    /// The end of the group that opens at `at`.
    fn group(&self, mut at: usize) -> usize {
        let mut depth = 0usize;
        while let Some(kind) = self.kind(at) {
            at += 1;
            match kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        at
    }
}

impl<S> ReadRust for Text<'_, S> {
    fn head(&self, start: usize) -> Result<Head, RustMistake> {
        let (mut at, mut head) = (start, Head::default());
        while self.kind(at) == Some(&Kind::Symbol('#')) {
            if self.kind(at + 1) != Some(&Kind::Open('[')) {
                return Err(RustMistake { at: at + 1, message: "expected `[`".into() });
            }
            let end = self.group(at + 1);
            head.attributes.push(end - at);
            at = end;
        }
        if matches!(self.kind(at), Some(Kind::Word(word)) if word == "pub") {
            let end = match self.kind(at + 1) {
                Some(Kind::Open('(')) => self.group(at + 1),
                _ => at + 1,
            };
            head.visibility = end - at;
        }
        Ok(head)
    }

    fn ty(&self, start: usize) -> Result<TypeParts, RustMistake> {
        let mut at = start;
        while matches!(self.kind(at), Some(Kind::Word(_) | Kind::Symbol(':'))) {
            at += 1;
        }
        if at == start {
            return Err(RustMistake { at, message: "expected a type".into() });
        }
        if self.kind(at) != Some(&Kind::Symbol('<')) {
            return Ok(TypeParts { len: at - start, path: at - start, arguments: Vec::new() });
        }
        // `Csr::<f64>`
        let mut path = at;
        while self.kind(path - 1) == Some(&Kind::Symbol(':')) && path > start + 1 {
            path -= 1;
        }
        let (mut depth, mut arguments, mut first) = (0usize, Vec::new(), at + 1);
        loop {
            let Some(kind) = self.kind(at) else {
                return Err(RustMistake { at, message: "expected `>`, found the end".into() });
            };
            match kind {
                Kind::Symbol('<') => depth += 1,
                Kind::Symbol('>') => depth -= 1,
                _ => {}
            }
            if let Kind::Open(_) = kind {
                // `Packed<tpu!(f32[8, 128])>`
                at = self.group(at);
                continue;
            }
            if depth == 0 || depth == 1 && *kind == Kind::Symbol(',') {
                arguments.push(first - start..at - start);
                first = at + 1;
            }
            at += 1;
            if depth == 0 {
                return Ok(TypeParts { len: at - start, path: path - start, arguments });
            }
        }
    }

    fn expression(&self, start: usize) -> Result<usize, RustMistake> {
        let mut at = start;
        // The bars of a closure are not brackets; its parameters are part of it.
        let mut bars = if self.kind(at) == Some(&Kind::Symbol('|')) { 2 } else { 0 };
        while let Some(kind) = self.kind(at) {
            match kind {
                Kind::Symbol('|') if bars > 0 => bars -= 1,
                Kind::Symbol(',') if bars != 1 => break,
                Kind::Close(_) => break,
                Kind::Open(_) => {
                    at = self.group(at);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        Ok(at - start)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex;
    use super::*;

    fn text<T>(text: &str, read: impl Fn(&dyn ReadRust) -> T) -> T {
        read(&Text(&lex(text)))
    }

    #[test]
    fn types_have_paths_and_arguments() {
        let parts = |written: &str| text(written, |rust| rust.ty(0)).expect("a type");
        let whole = |len| TypeParts { len, path: len, arguments: Vec::new() };
        assert_eq!(parts("f64[i]"), whole(1));
        assert_eq!(parts("a::T)"), whole(4));
        let of = |len, path, argument| TypeParts { len, path, arguments: Vec::from([argument]) };
        assert_eq!(parts("Csr<f64>[i, j]"), of(4, 1, 2..3));
        assert_eq!(parts("Csr::<f64>[i, j]"), of(6, 1, 4..5));
        assert_eq!(parts("a::Csr<Complex<f64>>[i]"), of(10, 4, 5..9));
        assert_eq!(parts("Csr<f64, u8>").arguments, [2..3, 4..5]);
        assert_eq!(text("Csr<f64", |rust| rust.ty(0)).expect_err("unfinished").at, 3);
    }

    #[test]
    fn a_comma_ends_an_expression_outside_of_groups_and_bars() {
        for (written, len) in [
            ("f, a", 1),
            ("f64::max, a", 4),
            ("|x, y| x + y, a", 8),
            ("f(x, y)) }", 6),
            ("{ g, h }", 5),
            (", a", 0),
        ] {
            assert_eq!(text(written, |rust| rust.expression(0)), Ok(len), "{written}");
        }
    }

    #[test]
    fn attributes_and_a_visibility_precede_an_item() {
        let head = |written: &str| text(written, |rust| rust.head(0));
        assert_eq!(head("fn f"), Ok(Head::default()));
        let expected = Head { attributes: Vec::from([8, 4]), visibility: 4 };
        assert_eq!(head("#[doc = (\"a\")] #[inline] pub(crate) fn f"), Ok(expected));
        assert_eq!(head("#inline").expect_err("no bracket").at, 1);
    }
}
