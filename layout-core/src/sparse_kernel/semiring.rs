//! Semirings by the names that GraphBLAS gives to their monoid and their multiplication: `min.plus`, `lor.land`, `any.pair`.

use super::ir::{BinaryOp, Reduction};
use super::statement::Expr;
use alloc::boxed::Box;
use alloc::string::ToString;

/// The monoid of a semiring: how several products are combined.
///
/// ```
/// use tensor_layout::sparsify::{DynOperand, Monoid, SparseKernel};
/// assert_eq!(Monoid::from_name("min"), Some(Monoid::Min));
/// // The lengths of the shortest paths of two steps, in the semiring `min.plus`.
/// let paths: SparseKernel = "fn paths(a: Dense<f64>[i, k], b: Dense<f64>[k, j]) -> c: Dense<f64>[i, j] {
///     c[i, j] = min.plus(a[i, k], b[k, j])
/// }".parse()?;
/// let a = DynOperand::dense(&[2, 2], vec![9.0, 5.0, 1.0, 9.0])?;
/// assert_eq!(paths.run(&[a.clone(), a])?, DynOperand::dense(&[2, 2], vec![6.0, 14.0, 10.0, 6.0])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monoid {
    /// The sum.
    Plus,
    /// The product.
    Times,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Any one of them. This implementation selects the largest, so that the result is always the same.
    Any,
    /// Whether one of them is true.
    Lor,
    /// Whether all of them are true.
    Land,
}

const MONOIDS: [(&str, Monoid); 7] = [
    ("plus", Monoid::Plus),
    ("times", Monoid::Times),
    ("min", Monoid::Min),
    ("max", Monoid::Max),
    ("any", Monoid::Any),
    ("lor", Monoid::Lor),
    ("land", Monoid::Land),
];

impl Monoid {
    /// The monoid with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        MONOIDS.iter().find(|(known, _)| *known == name).map(|(_, monoid)| *monoid)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        MONOIDS.iter().find(|(_, monoid)| *monoid == self).map_or("", |(name, _)| name)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MONOIDS.iter().map(|(name, _)| *name)
    }

    /// Whether its values are true or false.
    pub const fn is_logical(self) -> bool {
        matches!(self, Self::Lor | Self::Land)
    }

    /// Its reduction. If elements are `bool`, false is less than true.
    pub const fn reduction(self) -> Reduction {
        match self {
            Self::Plus => Reduction::Sum,
            Self::Times => Reduction::Product,
            Self::Min | Self::Land => Reduction::Min,
            Self::Max | Self::Any | Self::Lor => Reduction::Max,
        }
    }
}

/// The multiplication of a semiring, for operands that are both stored.
///
/// ```
/// use tensor_layout::sparsify::Multiply;
/// assert_eq!(Multiply::from_name("pair"), Some(Multiply::Pair));
/// assert!(Multiply::names().any(|name| name == "first"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Multiply {
    /// A function of both values.
    Binary(BinaryOp),
    /// The left one.
    First,
    /// The right one.
    Second,
    /// 1.
    Pair,
    /// Whether both are true.
    Land,
    /// Whether one of them is true.
    Lor,
    /// Whether exactly one of them is true.
    Lxor,
}

const MULTIPLIES: [(&str, Multiply); 18] = [
    ("plus", Multiply::Binary(BinaryOp::Add)),
    ("minus", Multiply::Binary(BinaryOp::Sub)),
    ("times", Multiply::Binary(BinaryOp::Mul)),
    ("div", Multiply::Binary(BinaryOp::Div)),
    ("min", Multiply::Binary(BinaryOp::Min)),
    ("max", Multiply::Binary(BinaryOp::Max)),
    ("eq", Multiply::Binary(BinaryOp::Equal)),
    ("ne", Multiply::Binary(BinaryOp::NotEqual)),
    ("lt", Multiply::Binary(BinaryOp::Less)),
    ("le", Multiply::Binary(BinaryOp::LessEqual)),
    ("gt", Multiply::Binary(BinaryOp::Greater)),
    ("ge", Multiply::Binary(BinaryOp::GreaterEqual)),
    ("first", Multiply::First),
    ("second", Multiply::Second),
    ("pair", Multiply::Pair),
    ("land", Multiply::Land),
    ("lor", Multiply::Lor),
    ("lxor", Multiply::Lxor),
];

impl Multiply {
    /// The multiplication with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        MULTIPLIES.iter().find(|(known, _)| *known == name).map(|(_, multiply)| *multiply)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        MULTIPLIES.iter().find(|(_, multiply)| *multiply == self).map_or("", |(name, _)| name)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MULTIPLIES.iter().map(|(name, _)| *name)
    }

    /// The product of two values that are stored.
    pub(super) fn of(self, a: Expr, b: Expr) -> Expr {
        let op = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b));
        let truth = |value| op(BinaryOp::NotEqual, value, Expr::Zero);
        match self {
            Self::Binary(binary) => op(binary, a, b),
            Self::First => a,
            Self::Second => b,
            Self::Pair => Expr::Literal("1".to_string()),
            Self::Land => op(BinaryOp::Mul, truth(a), truth(b)),
            // The result is a comparison, so it is known to be 1 or 0 even for values without an order, such as complex numbers.
            Self::Lor => {
                let either = op(BinaryOp::Add, truth(a), truth(b));
                op(BinaryOp::NotEqual, either, Expr::Zero)
            }
            Self::Lxor => op(BinaryOp::NotEqual, truth(a), truth(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        assert!(Monoid::names().all(|name| Monoid::from_name(name).unwrap().name() == name));
        assert!(Multiply::names().all(|name| Multiply::from_name(name).unwrap().name() == name));
    }
}
