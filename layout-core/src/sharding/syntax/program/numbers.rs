//! Named numbers, and arithmetic with them: propagation needs sizes that are numbers.

use crate::syntax::{Arithmetic, Cursor, Kind, Operator, Parsed, Span, Stop, Token};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The largest depth of nested parentheses, because the parser is recursive.
const MAX_DEPTH: usize = 32;

/// Numbers by name.
pub(super) type Constants = BTreeMap<String, usize>;

/// Reads arithmetic with numbers and named numbers; `None` for any other text, or if the result cannot be the size of an array.
pub(super) fn arithmetic<S: Span>(
    cursor: &mut Cursor<'_, S>,
    constants: &Constants,
) -> Option<usize> {
    Sizes(constants).sum(cursor, 0).ok()
}

/// A parser of sizes. It reports nothing, because braces that it cannot parse may have another meaning.
struct Sizes<'c>(&'c Constants);

impl<S: Span> Arithmetic<S> for Sizes<'_> {
    type Value = usize;

    const OPERATORS: &'static [Operator] =
        &[Operator::Add, Operator::Sub, Operator::Mul, Operator::Div, Operator::Rem];

    const SIGNS_NEST: bool = true;

    fn check_depth(&mut self, _: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
        if depth <= MAX_DEPTH { Ok(()) } else { Err(Stop) }
    }

    fn value(&mut self, cursor: &mut Cursor<'_, S>, _: usize) -> Parsed<usize> {
        let value = match cursor.next().map(|token| &token.kind) {
            Some(Kind::Number(digits)) => digits.parse().ok(),
            Some(Kind::Word(name)) => self.0.get(name).copied(),
            _ => None,
        };
        value.ok_or(Stop)
    }

    fn group(&mut self, cursor: &mut Cursor<'_, S>, _: S, depth: usize) -> Parsed<usize> {
        let value = self.sum(cursor, depth)?;
        cursor.take(&Kind::Close(')')).map(|_| value).ok_or(Stop)
    }

    fn negative(&mut self, _: &mut Cursor<'_, S>, _: &[S], _: usize) -> Parsed<usize> {
        Err(Stop)
    }

    fn apply(
        &mut self,
        _: &mut Cursor<'_, S>,
        _: S,
        left: usize,
        operator: Operator,
        right: usize,
    ) -> Parsed<usize> {
        let value = match operator {
            Operator::Add => left.checked_add(right),
            Operator::Sub => left.checked_sub(right),
            Operator::Mul => left.checked_mul(right),
            Operator::Div => left.checked_div(right),
            _ => left.checked_rem(right),
        };
        value.ok_or(Stop)
    }
}

/// The tokens, in which numbers replace the names and the arithmetic in braces that are in square brackets.
pub(super) fn evaluated<S: Span>(tokens: &[Token<S>], constants: &Constants) -> Vec<Token<S>> {
    let mut made: Vec<Token<S>> = Vec::with_capacity(tokens.len());
    let mut open: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let in_brackets = open.last() == Some(&'[');
        let number = match &token.kind {
            Kind::Word(name) if in_brackets => constants.get(name).map(|value| (*value, at)),
            Kind::Open('{') if in_brackets => {
                group(&tokens[at..], constants).map(|(value, length)| (value, at + length - 1))
            }
            _ => None,
        };
        if let Some((value, last)) = number {
            let span = token.span.to(tokens[last].span);
            made.push(Token { kind: Kind::Number(value.to_string()), span });
            at = last + 1;
            continue;
        }
        match token.kind {
            Kind::Open(kind) => open.push(kind),
            Kind::Close(_) => {
                open.pop();
            }
            _ => {}
        }
        made.push(token.clone());
        at += 1;
    }
    made
}

/// The value of arithmetic in braces, and the number of its tokens.
fn group<S: Span>(tokens: &[Token<S>], constants: &Constants) -> Option<(usize, usize)> {
    let mut cursor = Cursor::new(tokens, tokens.first()?.span);
    cursor.next();
    let value = arithmetic(&mut cursor, constants)?;
    cursor.take(&Kind::Close('}'))?;
    Some((value, cursor.taken()))
}
