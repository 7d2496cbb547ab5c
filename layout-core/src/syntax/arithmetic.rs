//! Arithmetic: sums of products of values, with signs and parentheses.
//!
//! Level maps, subscripts, statements of kernels and named sizes are all read here. They differ in their values, in their
//! operators, and in the result: an affine expression, a tree, or a number.

use super::cursor::{Cursor, Kind, Parsed, Span, Stop};
use alloc::vec::Vec;

/// An operator between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `floordiv`
    Floordiv,
    /// `ceildiv`
    Ceildiv,
    /// `mod`
    Mod,
}

impl Operator {
    /// The operator that comes next.
    fn next<S: Span>(cursor: &Cursor<'_, S>) -> Option<Self> {
        Some(match cursor.peek()? {
            Kind::Symbol('+') => Self::Add,
            // `->` ends an expression.
            Kind::Symbol('-') if cursor.peek_nth(1) != Some(&Kind::Symbol('>')) => Self::Sub,
            Kind::Symbol('*') => Self::Mul,
            Kind::Symbol('/') => Self::Div,
            Kind::Symbol('%') => Self::Rem,
            Kind::Word(word) => match word.as_str() {
                "floordiv" => Self::Floordiv,
                "ceildiv" => Self::Ceildiv,
                "mod" => Self::Mod,
                _ => return None,
            },
            _ => return None,
        })
    }

    const fn is_sum(self) -> bool {
        matches!(self, Self::Add | Self::Sub)
    }
}

/// A grammar with arithmetic.
pub(crate) trait Arithmetic<S: Span> {
    /// The result of reading an expression.
    type Value;

    /// The operators of the grammar. Any other operator ends an expression.
    const OPERATORS: &'static [Operator];

    /// The largest number of operators in one sum or product. Trees have a limit, because functions over them are recursive.
    const MAX_OPERATORS: usize = usize::MAX;

    /// Whether a sign counts as a level of nesting, like parentheses.
    const SIGNS_NEST: bool;

    /// Stops if the next expression is nested too deeply. Parentheses are read recursively.
    fn check_depth(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()>;

    /// Reads a value, which is neither a sign nor in parentheses.
    fn value(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Self::Value>;

    /// Reads the contents of parentheses, and the `)`. The `(` is at the given span.
    fn group(&mut self, cursor: &mut Cursor<'_, S>, _: S, depth: usize) -> Parsed<Self::Value> {
        let value = self.sum(cursor, depth)?;
        cursor.expect(&Kind::Close(')'))?;
        Ok(value)
    }

    /// A value after one or more `-`, which are at `signs`.
    fn negative(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        signs: &[S],
        value: Self::Value,
    ) -> Parsed<Self::Value>;

    /// `left operator right`, which starts at `first`.
    fn apply(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        first: S,
        left: Self::Value,
        operator: Operator,
        right: Self::Value,
    ) -> Parsed<Self::Value>;

    /// Reports more operators than [`Arithmetic::MAX_OPERATORS`].
    fn too_long(&mut self, _: &mut Cursor<'_, S>) -> Stop {
        Stop
    }

    /// Reads a sum of products.
    fn sum(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Self::Value> {
        chain(self, cursor, depth, true)
    }
}

/// Values with operators of equal precedence between them: products in a sum, or factors in a product.
fn chain<S: Span, A: Arithmetic<S> + ?Sized>(
    grammar: &mut A,
    cursor: &mut Cursor<'_, S>,
    depth: usize,
    is_sum: bool,
) -> Parsed<A::Value> {
    let first = cursor.span();
    let operand = |grammar: &mut A, cursor: &mut Cursor<'_, S>| match is_sum {
        true => chain(grammar, cursor, depth, false),
        false => factor(grammar, cursor, depth),
    };
    let mut left = operand(grammar, cursor)?;
    for _ in 0..A::MAX_OPERATORS {
        let next = Operator::next(cursor)
            .filter(|operator| operator.is_sum() == is_sum && A::OPERATORS.contains(operator));
        let Some(operator) = next else { return Ok(left) };
        cursor.next();
        let right = operand(grammar, cursor)?;
        left = grammar.apply(cursor, first, left, operator, right)?;
    }
    Err(grammar.too_long(cursor))
}

/// A value or parentheses, after any number of signs.
fn factor<S: Span, A: Arithmetic<S> + ?Sized>(
    grammar: &mut A,
    cursor: &mut Cursor<'_, S>,
    mut depth: usize,
) -> Parsed<A::Value> {
    let mut signs = Vec::new();
    grammar.check_depth(cursor, depth)?;
    while let Some(sign) = cursor.take(&Kind::Symbol('-')) {
        signs.push(sign);
        depth += usize::from(A::SIGNS_NEST);
        grammar.check_depth(cursor, depth)?;
    }
    let value = match cursor.take(&Kind::Open('(')) {
        Some(open) => grammar.group(cursor, open, depth + 1)?,
        None => grammar.value(cursor, depth)?,
    };
    if signs.is_empty() { Ok(value) } else { grammar.negative(cursor, &signs, value) }
}
