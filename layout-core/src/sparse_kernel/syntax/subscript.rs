use super::{Name, name, print};
use crate::syntax::{Arithmetic, Cursor, Kind, Operator, Parsed, Span, Stop, list};
use alloc::vec::Vec;

const HELP: &str = "a subscript is a sum of indices: `i`, `2 * i + k - 1`";

/// `2 * i + k - 1`
#[derive(Clone, Debug)]
pub struct SubscriptSyntax<S> {
    /// Indices with their coefficients. An element of an index array is an index whose name is the text of the element: `p[j]`.
    pub terms: Vec<(i64, Name<S>)>,
    /// The elements of index arrays among the indices.
    pub gathers: Vec<GatherSyntax<S>>,
    /// The constant.
    pub constant: i64,
    /// The location of the subscript.
    pub span: S,
}

/// `p[j]` in `x[p[j]]`
#[derive(Clone, Debug)]
pub struct GatherSyntax<S> {
    /// The index array.
    pub array: Name<S>,
    /// Its subscripts.
    pub subscripts: Vec<SubscriptSyntax<S>>,
    /// Its text, and the location of the whole.
    pub index: Name<S>,
}

impl<S: Span> SubscriptSyntax<S> {
    /// An index.
    pub(super) fn index(name: &Name<S>) -> Self {
        let (terms, gathers) = (alloc::vec![(1, name.clone())], Vec::new());
        Self { terms, gathers, constant: 0, span: name.span }
    }

    /// Calls `f` with the subscript, and with the subscripts of the index arrays in it.
    pub(super) fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Self)) {
        f(self);
        let inner = self.gathers.iter().flat_map(|gather| &gather.subscripts);
        inner.for_each(|subscript| subscript.each(f));
    }

    /// The index, if the subscript is a single index.
    pub(super) fn plain(&self) -> Option<&Name<S>> {
        match &self.terms[..] {
            [(1, name)] if self.constant == 0 => Some(name),
            _ => None,
        }
    }
}

pub(super) fn subscript<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SubscriptSyntax<S>> {
    nested(cursor, 0)
}

fn nested<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<SubscriptSyntax<S>> {
    let sum = Sums.sum(cursor, depth)?;
    match cursor.peek() {
        Some(Kind::Symbol(',') | Kind::Close(_)) => Ok(sum),
        Some(Kind::Word(_)) => {
            let help = "separate the subscripts by commas";
            Err(cursor.unexpected_with_help("`,`, `]` or an operator", help))
        }
        _ => Err(cursor.unexpected_with_help("`,`, `]` or an operator", HELP)),
    }
}

const SLICE: &str = "each dimension has an index with a name, and the output is summed over those that it does not have: `y[i] += a[i, j] * x[j]`";

/// A parser of sums of indices.
struct Sums;

impl<S: Span> Arithmetic<S> for Sums {
    type Value = SubscriptSyntax<S>;

    const OPERATORS: &'static [Operator] = &[Operator::Add, Operator::Sub, Operator::Mul];

    const SIGNS_NEST: bool = true;

    fn check_depth(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
        super::expr::check_depth(cursor, depth)
    }

    fn value(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Self::Value> {
        let span = cursor.span();
        let (terms, gathers) = (Vec::new(), Vec::new());
        let mut value = SubscriptSyntax { terms, gathers, constant: 0, span };
        match cursor.peek() {
            Some(Kind::Word(_)) => {
                let mut index = name(cursor, "an index")?;
                if cursor.take(&Kind::Open('[')).is_some() {
                    self.check_depth(cursor, depth)?;
                    let subscripts = list(cursor, ']', |cursor| nested(cursor, depth + 1))?;
                    let array = index.clone();
                    index.text = print::access(&array.text, &subscripts);
                    index.span = cursor.since(span);
                    let gather = GatherSyntax { array, subscripts, index: index.clone() };
                    value.gathers.push(gather);
                }
                value.terms.push((1, index));
            }
            Some(Kind::Number(_)) => {
                let number = crate::syntax::number(cursor)?.value;
                // A number that does not fit is too large even when multiplied by one, so the multiplication reports it.
                value.constant = i64::try_from(number).unwrap_or(i64::MAX);
                value = value.times(1, cursor)?;
            }
            found => {
                let help = match found {
                    Some(Kind::Symbol(':' | '.')) => SLICE,
                    _ => HELP,
                };
                return Err(cursor.unexpected_with_help("an index or a number", help));
            }
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
            sum.gathers.extend(right.gathers);
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
