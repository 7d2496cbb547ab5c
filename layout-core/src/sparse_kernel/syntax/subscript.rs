use super::{Name, name};
use crate::syntax::{Arithmetic, Cursor, Kind, Operator, Parsed, Span, Stop};
use alloc::vec::Vec;

const HELP: &str = "a subscript is a sum of indices: `i`, `2 * i + k - 1`";

/// `2 * i + k - 1`
#[derive(Clone, Debug)]
pub struct SubscriptSyntax<S> {
    /// Indices with their coefficients.
    pub terms: Vec<(i64, Name<S>)>,
    /// The constant.
    pub constant: i64,
    /// The location of the subscript.
    pub span: S,
}

impl<S: Span> SubscriptSyntax<S> {
    /// An index.
    pub(super) fn index(name: &Name<S>) -> Self {
        Self { terms: alloc::vec![(1, name.clone())], constant: 0, span: name.span }
    }

    /// The index, if the subscript is a single one.
    pub(super) fn plain(&self) -> Option<&Name<S>> {
        match &self.terms[..] {
            [(1, name)] if self.constant == 0 => Some(name),
            _ => None,
        }
    }
}

pub(super) fn subscript<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SubscriptSyntax<S>> {
    let sum = Sums.sum(cursor, 0)?;
    match cursor.peek() {
        Some(Kind::Symbol(',') | Kind::Close(_)) => Ok(sum),
        _ => Err(cursor.unexpected_with_help("`,`, `]` or an operator", HELP)),
    }
}

/// A parser of sums of indices.
struct Sums;

impl<S: Span> Arithmetic<S> for Sums {
    type Value = SubscriptSyntax<S>;

    const OPERATORS: &'static [Operator] = &[Operator::Add, Operator::Sub, Operator::Mul];

    const SIGNS_NEST: bool = true;

    fn check_depth(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
        super::expr::check_depth(cursor, depth)
    }

    fn value(&mut self, cursor: &mut Cursor<'_, S>, _: usize) -> Parsed<Self::Value> {
        let span = cursor.span();
        let mut value = SubscriptSyntax { terms: Vec::new(), constant: 0, span };
        match cursor.peek() {
            Some(Kind::Word(_)) => value.terms.push((1, name(cursor, "an index")?)),
            Some(Kind::Number(_)) => {
                let number = crate::syntax::number(cursor)?.value;
                // A number that does not fit does not fit times one either.
                value.constant = i64::try_from(number).unwrap_or(i64::MAX);
                value = value.times(1, cursor)?;
            }
            _ => return Err(cursor.unexpected_with_help("an index or a number", HELP)),
        }
        value.span = cursor.since(span);
        Ok(value)
    }

    fn group(&mut self, cursor: &mut Cursor<'_, S>, open: S, depth: usize) -> Parsed<Self::Value> {
        let value = self.sum(cursor, depth)?;
        cursor.expect_close(')')?;
        Ok(SubscriptSyntax { span: cursor.since(open), ..value })
    }

    fn negative(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        signs: &[S],
        value: Self::Value,
    ) -> Parsed<Self::Value> {
        let sign = if signs.len().is_multiple_of(2) { 1 } else { -1 };
        let value = value.times(sign, cursor)?;
        Ok(SubscriptSyntax { span: cursor.since(signs[0]), ..value })
    }

    fn apply(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        first: S,
        left: Self::Value,
        operator: Operator,
        right: Self::Value,
    ) -> Parsed<Self::Value> {
        let span = cursor.since(first);
        if operator != Operator::Mul {
            let right = right.times(if operator == Operator::Add { 1 } else { -1 }, cursor)?;
            let mut sum = SubscriptSyntax { span, ..left };
            sum.terms.extend(right.terms);
            sum.constant = sum.constant.saturating_add(right.constant);
            return Ok(sum);
        }
        let (number, value) = match (left.terms.is_empty(), right.terms.is_empty()) {
            (true, _) => (left.constant, right),
            (_, true) => (right.constant, left),
            (false, false) => {
                cursor.report(right.span, "indices cannot be multiplied with each other", HELP);
                return Err(Stop);
            }
        };
        SubscriptSyntax { span, ..value }.times(number, cursor)
    }
}

impl<S: Span> SubscriptSyntax<S> {
    /// The sum multiplied by a number.
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
