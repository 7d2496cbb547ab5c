//! Simplifies an expression for the case that some operands are absent. All merging is derived from this rule: a product with an
//! absent factor is zero, so only the intersection is visited; a sum with an absent term is not, so the union is visited; and
//! likewise for every other expression. Zero times anything is zero, even infinity.

use super::ir::{BinaryOp, UnaryOp};
use super::literal::Literal;
use super::statement::{AccessId, Expr, Region};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

impl Expr {
    /// The expression with zero instead of the accesses for which `absent` holds.
    #[must_use]
    pub fn without(&self, absent: &dyn Fn(AccessId) -> bool) -> Self {
        let part = |expr: &Self| Box::new(expr.without(absent));
        match self {
            Self::Access(access) if absent(*access) => Self::Zero,
            Self::Zero | Self::Literal(_) | Self::Access(_) | Self::Scalar(_) | Self::Index(_) => {
                self.clone()
            }
            Self::Unary(op, a) => unary(*op, part(a)),
            Self::Binary(op, a, b) => binary(*op, part(a), part(b)),
            Self::Select(condition, a, b) => select(part(condition), part(a), part(b)),
            Self::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| a.without(absent)).collect();
                Self::Call(*function, arguments)
            }
            Self::Overlap { operands, both, left, right } => {
                let (a, b) = (operands.0.without(absent), operands.1.without(absent));
                match (a == Self::Zero, b == Self::Zero) {
                    (true, true) => Self::Zero,
                    (true, false) => right.alone(b),
                    (false, true) => left.alone(a),
                    (false, false) => {
                        let (both, left, right) = (*both, *left, *right);
                        Self::Overlap { operands: Box::new((a, b)), both, left, right }
                    }
                }
            }
            Self::Product(multiply, operands) => {
                let (a, b) = (operands.0.without(absent), operands.1.without(absent));
                match a == Self::Zero || b == Self::Zero {
                    true => Self::Zero,
                    false => Self::Product(*multiply, Box::new((a, b))),
                }
            }
            Self::Presence { operand, present, absent: without } => {
                let operand = part(operand);
                match (*operand == Self::Zero, without) {
                    (true, Some(function)) => Self::Call(*function, Vec::new()),
                    (true, None) => Self::Zero,
                    _ => Self::Presence { operand, present: *present, absent: *without },
                }
            }
        }
    }

    /// The expression if everything that it still accesses is present.
    #[must_use]
    pub fn with_all(&self) -> Self {
        let part = |expr: &Self| Box::new(expr.with_all());
        match self {
            Self::Overlap { operands, both, left, right } => {
                let (a, b) = (operands.0.with_all(), operands.1.with_all());
                match (a == Self::Zero, b == Self::Zero, both) {
                    (true, true, _) | (false, false, None) => Self::Zero,
                    (true, false, _) => right.apply(b),
                    (false, true, _) => left.apply(a),
                    (false, false, Some(function)) => Self::Call(*function, [a, b].into()),
                }
            }
            Self::Product(multiply, operands) => {
                let (a, b) = (operands.0.with_all(), operands.1.with_all());
                match a == Self::Zero || b == Self::Zero {
                    true => Self::Zero,
                    false => multiply.of(a, b),
                }
            }
            Self::Presence { operand, present, absent } => {
                let operand = operand.with_all();
                match (operand == Self::Zero, absent) {
                    (false, _) => present.apply(operand),
                    (true, Some(function)) => Self::Call(*function, Vec::new()),
                    (true, None) => Self::Zero,
                }
            }
            Self::Unary(op, a) => unary(*op, part(a)),
            Self::Binary(op, a, b) => binary(*op, part(a), part(b)),
            Self::Select(condition, a, b) => select(part(condition), part(a), part(b)),
            Self::Call(function, arguments) => {
                Self::Call(*function, arguments.iter().map(Self::with_all).collect())
            }
            _ => self.clone(),
        }
    }

    /// Whether the expression reads this access.
    pub fn reads(&self, access: AccessId) -> bool {
        match self {
            Self::Access(other) => *other == access,
            Self::Zero | Self::Literal(_) | Self::Scalar(_) | Self::Index(_) => false,
            Self::Unary(_, a) | Self::Presence { operand: a, .. } => a.reads(access),
            Self::Binary(_, a, b) => a.reads(access) || b.reads(access),
            Self::Select(a, b, c) => a.reads(access) || b.reads(access) || c.reads(access),
            Self::Call(_, arguments) => arguments.iter().any(|a| a.reads(access)),
            Self::Overlap { operands, .. } | Self::Product(_, operands) => {
                operands.0.reads(access) || operands.1.reads(access)
            }
        }
    }

    /// Whether the expression is the value of `access` or its negation. If so, two entries at one index have the same sum whether
    /// they are added before or after the expression is applied. Multiples do not: `(1 - 1) * x` and `1 * x - 1 * x` differ if `x`
    /// is infinite, and quotients of whole numbers are rounded.
    pub fn is_plainly(&self, access: AccessId) -> bool {
        match self {
            Self::Access(other) => *other == access,
            Self::Unary(UnaryOp::Neg, a) => a.is_plainly(access),
            _ => false,
        }
    }

    /// Whether the expression is the value of `access` times a factor that does not depend on it.
    pub fn is_multiple(&self, access: AccessId) -> bool {
        match self {
            Self::Binary(BinaryOp::Mul, a, b) => {
                (a.is_multiple(access) && !b.reads(access))
                    || (b.is_multiple(access) && !a.reads(access))
            }
            Self::Unary(UnaryOp::Neg, a) => a.is_multiple(access),
            _ => self.is_plainly(access),
        }
    }

    /// The number, if the expression is constant.
    fn constant(&self) -> Option<Literal> {
        match self {
            Self::Zero => Some(Literal::Integer(0)),
            Self::Literal(text) => Literal::parse(text),
            // In an unsigned type, a negative number would wrap around.
            Self::Unary(UnaryOp::Neg, a) => match &**a {
                Self::Literal(text) if Literal::is_unsigned(text) => None,
                a => a.constant().map(Literal::negated),
            },
            _ => None,
        }
    }
}

impl Region {
    /// The value of a region of a semiring in which only one operand is present; that operand can be absent itself.
    fn alone(self, operand: Expr) -> Expr {
        match self {
            Self::Empty => Expr::Zero,
            Self::Identity => operand,
            Self::Function(_) => {
                Expr::Presence { operand: Box::new(operand), present: self, absent: None }
            }
        }
    }

    fn apply(self, operand: Expr) -> Expr {
        match self {
            Self::Empty => Expr::Zero,
            Self::Identity => operand,
            Self::Function(function) => Expr::Call(function, [operand].into()),
        }
    }
}

/// A literal, or zero.
pub(crate) fn literal(text: &str) -> Option<Expr> {
    let number = Literal::parse(text)?.to_f64();
    Some(if number == 0.0 { Expr::Zero } else { Expr::Literal(text.to_string()) })
}

fn unary(op: UnaryOp, a: Box<Expr>) -> Expr {
    if *a == Expr::Zero && (op == UnaryOp::Neg || op.keeps_zero()) {
        Expr::Zero
    } else {
        Expr::Unary(op, a)
    }
}

fn select(condition: Box<Expr>, a: Box<Expr>, b: Box<Expr>) -> Expr {
    match condition.constant() {
        Some(condition) if condition.to_f64() == 0.0 => *b,
        Some(_) => *a,
        None if *a == Expr::Zero && *b == Expr::Zero => Expr::Zero,
        None => Expr::Select(condition, a, b),
    }
}

fn binary(op: BinaryOp, a: Box<Expr>, b: Box<Expr>) -> Expr {
    let zero = (*a == Expr::Zero, *b == Expr::Zero);
    if op.is_comparison() {
        return match (a.constant(), b.constant()) {
            (Some(x), Some(y)) if x.compares(op, y) => Expr::Literal("1".to_string()),
            (Some(_), Some(_)) => Expr::Zero,
            _ => Expr::Binary(op, a, b),
        };
    }
    match (op, zero) {
        (BinaryOp::Add, (true, _)) => *b,
        (BinaryOp::Add | BinaryOp::Sub, (_, true)) => *a,
        (BinaryOp::Sub, (true, _)) => Expr::Unary(UnaryOp::Neg, b),
        (BinaryOp::Mul, (true, _) | (_, true)) | (BinaryOp::Div, (true, false)) => Expr::Zero,
        (BinaryOp::Min | BinaryOp::Max, (true, true)) => Expr::Zero,
        (BinaryOp::Pow, (true, _)) if b.constant().is_some_and(|power| power.to_f64() > 0.0) => {
            Expr::Zero
        }
        _ => Expr::Binary(op, a, b),
    }
}

impl BinaryOp {
    /// The value of a comparison.
    #[doc(hidden)]
    pub fn compares<T: PartialOrd>(self, x: T, y: T) -> bool {
        match self {
            Self::Less => x < y,
            Self::LessEqual => x <= y,
            Self::Greater => x > y,
            Self::GreaterEqual => x >= y,
            Self::Equal => x == y,
            _ => x != y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::semiring::Multiply;
    use super::*;

    fn access(number: AccessId) -> Box<Expr> {
        Box::new(Expr::Access(number))
    }

    fn op(op: BinaryOp, a: Box<Expr>, b: Box<Expr>) -> Box<Expr> {
        Box::new(Expr::Binary(op, a, b))
    }

    /// The sets of accesses, out of `count`, for which the expression is not zero, as bits.
    fn regions(expr: &Expr, count: usize) -> Vec<usize> {
        let left = |set: &usize| expr.without(&|access| set >> access & 1 == 0) != Expr::Zero;
        (0..1 << count).filter(left).collect()
    }

    #[test]
    fn products_are_intersections_and_sums_are_unions() {
        let product = op(BinaryOp::Mul, access(0), access(1));
        let sum = op(BinaryOp::Add, access(0), access(1));
        assert_eq!(regions(&product, 2), [3]);
        assert_eq!(regions(&sum, 2), [1, 2, 3]);
        assert_eq!(regions(&op(BinaryOp::Mul, sum.clone(), access(2)), 3), [5, 6, 7]);
        assert_eq!(regions(&op(BinaryOp::Sub, product, access(2)), 3), [3, 4, 5, 6, 7]);
        assert_eq!(regions(&op(BinaryOp::Max, access(0), access(1)), 2), [1, 2, 3]);
        assert_eq!(regions(&Expr::Unary(UnaryOp::Sqrt, sum.clone()), 2), [1, 2, 3]);
        assert_eq!(regions(&Expr::Unary(UnaryOp::Exp, sum), 2), [0, 1, 2, 3]);
    }

    #[test]
    fn comparisons_with_what_is_not_stored_are_known() {
        let literal = |text: &str| Box::new(literal(text).expect("a number"));
        assert_eq!(regions(&op(BinaryOp::Greater, access(0), literal("0")), 1), [1]);
        assert_eq!(regions(&op(BinaryOp::GreaterEqual, access(0), literal("0")), 1), [0, 1]);
        assert_eq!(regions(&op(BinaryOp::Less, access(0), literal("0.5")), 1), [0, 1]);
        assert_eq!(regions(&op(BinaryOp::Pow, access(0), literal("2")), 1), [1]);
        assert_eq!(regions(&op(BinaryOp::Mul, access(0), literal("0.0")), 1), [0; 0]);
    }

    #[test]
    fn a_semiring_has_the_regions_that_are_given() {
        let overlap = |both, left, right| {
            let operands = Box::new((Expr::Access(0), Expr::Access(1)));
            Expr::Overlap { operands, both, left, right }
        };
        // Both are known to be present only if both are visited.
        let all = overlap(Some(0), Region::Identity, Region::Function(1));
        assert_eq!(regions(&all, 2), [1, 2, 3]);
        assert_eq!(regions(&overlap(Some(0), Region::Empty, Region::Empty), 2), [3]);
        let complement = overlap(None, Region::Identity, Region::Empty);
        assert_eq!(complement.with_all(), Expr::Zero);
        assert_eq!(complement.without(&|access| access == 1), Expr::Access(0));
        let product = Expr::Product(Multiply::Pair, Box::new((Expr::Access(0), Expr::Access(1))));
        assert_eq!(regions(&product, 2), [3]);
        assert_eq!(product.with_all(), Expr::Literal("1".to_string()));
        let absent = Expr::Presence { operand: access(0), present: Region::Empty, absent: Some(0) };
        assert_eq!(regions(&absent, 1), [0, 1]);
        assert_eq!(absent.with_all(), Expr::Zero);
    }
}
