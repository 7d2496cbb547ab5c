//! Numbers with names, and arithmetic with them: propagation needs sizes that are numbers.

use crate::syntax::{Cursor, Kind, Span, Token};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The depth to which parentheses may be nested: reading them recurses.
const MAX_DEPTH: usize = 32;

/// Numbers by name.
pub(super) type Constants = BTreeMap<String, usize>;

/// A sum of products; `None` if the text is something else, or the number cannot be the size of an array.
pub(super) fn expression<S: Span>(
    cursor: &mut Cursor<'_, S>,
    constants: &Constants,
    depth: usize,
) -> Option<usize> {
    let mut sum = term(cursor, constants, depth)?;
    loop {
        sum = match cursor.peek() {
            Some(Kind::Symbol('+')) => {
                cursor.next();
                sum.checked_add(term(cursor, constants, depth)?)?
            }
            Some(Kind::Symbol('-')) => {
                cursor.next();
                sum.checked_sub(term(cursor, constants, depth)?)?
            }
            _ => return Some(sum),
        };
    }
}

fn term<S: Span>(cursor: &mut Cursor<'_, S>, constants: &Constants, depth: usize) -> Option<usize> {
    let mut product = atom(cursor, constants, depth)?;
    loop {
        let apply = match cursor.peek() {
            Some(Kind::Symbol('*')) => usize::checked_mul,
            Some(Kind::Symbol('/')) => usize::checked_div,
            Some(Kind::Symbol('%')) => usize::checked_rem,
            _ => return Some(product),
        };
        cursor.next();
        product = apply(product, atom(cursor, constants, depth)?)?;
    }
}

fn atom<S: Span>(cursor: &mut Cursor<'_, S>, constants: &Constants, depth: usize) -> Option<usize> {
    match &cursor.next()?.kind {
        Kind::Number(digits) => digits.parse().ok(),
        Kind::Word(name) => constants.get(name).copied(),
        Kind::Open('(') if depth < MAX_DEPTH => {
            let value = expression(cursor, constants, depth + 1)?;
            cursor.take(&Kind::Close(')')).map(|_| value)
        }
        _ => None,
    }
}

/// The tokens, where numbers replace the names and the arithmetic in braces that stand in brackets.
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
    let value = expression(&mut cursor, constants, 0)?;
    cursor.take(&Kind::Close('}'))?;
    Some((value, cursor.taken()))
}
