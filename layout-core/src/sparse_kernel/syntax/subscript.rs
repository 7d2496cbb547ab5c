use super::expr::{MAX_DEPTH, too_large};
use super::{Name, name};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop};
use alloc::vec::Vec;

const HELP: &str = "a subscript is a sum of indices: `i`, `2 * i + k - 1`";

/// `2 * i + k - 1`
#[derive(Clone, Debug)]
pub struct SubscriptSyntax<S> {
    /// Indices with their coefficients.
    pub terms: Vec<(i64, Name<S>)>,
    /// What is added.
    pub constant: i64,
    /// Where it stands.
    pub span: S,
}

pub(super) fn subscript<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SubscriptSyntax<S>> {
    let sum = sum(cursor, 0)?;
    match cursor.peek() {
        Some(Kind::Symbol(',') | Kind::Close(_)) => Ok(sum),
        _ => Err(cursor.unexpected_with_help("`,`, `]` or an operator", HELP)),
    }
}

fn sum<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<SubscriptSyntax<S>> {
    let mut sum = product(cursor, depth)?;
    loop {
        let sign = match cursor.peek() {
            Some(Kind::Symbol('+')) => 1,
            Some(Kind::Symbol('-')) => -1,
            _ => return Ok(sum),
        };
        cursor.next();
        let other = product(cursor, depth)?.times(sign, cursor)?;
        sum.terms.extend(other.terms);
        sum.constant = sum.constant.saturating_add(other.constant);
        sum.span = sum.span.to(other.span);
    }
}

fn product<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<SubscriptSyntax<S>> {
    let mut left = factor(cursor, depth)?;
    while cursor.take_symbol('*') {
        let right = factor(cursor, depth)?;
        let span = left.span.to(right.span);
        let (number, value) = match (left.terms.is_empty(), right.terms.is_empty()) {
            (true, _) => (left.constant, right),
            (_, true) => (right.constant, left),
            (false, false) => {
                cursor.report(right.span, "indices cannot be multiplied with each other", HELP);
                return Err(Stop);
            }
        };
        left = SubscriptSyntax { span, ..value }.times(number, cursor)?;
    }
    Ok(left)
}

fn factor<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<SubscriptSyntax<S>> {
    if depth == MAX_DEPTH {
        return Err(too_large(cursor));
    }
    let span = cursor.span();
    let mut value = SubscriptSyntax { terms: Vec::new(), constant: 0, span };
    match cursor.peek() {
        Some(Kind::Symbol('-')) => {
            cursor.next();
            value = factor(cursor, depth + 1)?.times(-1, cursor)?;
        }
        Some(Kind::Open('(')) => {
            cursor.next();
            value = sum(cursor, depth + 1)?;
            cursor.expect_close(')')?;
        }
        Some(Kind::Word(_)) => value.terms.push((1, name(cursor, "an index")?)),
        Some(Kind::Number(_)) => {
            let number = crate::syntax::number(cursor)?.value;
            // What is too large for the number is so for its product with one.
            value.constant = i64::try_from(number).unwrap_or(i64::MAX);
            value = value.times(1, cursor)?;
        }
        _ => return Err(cursor.unexpected_with_help("an index or a number", HELP)),
    }
    value.span = cursor.since(span);
    Ok(value)
}

impl<S: Span> SubscriptSyntax<S> {
    /// The sum that many times.
    fn times(mut self, number: i64, cursor: &mut Cursor<'_, S>) -> Parsed<Self> {
        let all = self.terms.iter_mut().map(|(coefficient, _)| coefficient);
        for value in all.chain([&mut self.constant]) {
            *value = value.saturating_mul(number);
            if value.abs() > i64::from(i32::MAX) {
                let help = "subscripts are small sums such as `2 * i + k`";
                cursor.report(self.span, "this factor is too large", help);
                return Err(Stop);
            }
        }
        Ok(self)
    }
}
