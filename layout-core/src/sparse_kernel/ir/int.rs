//! Whole numbers: coordinates, positions, sizes.

use super::{IndexId, OperandId, Var};
use crate::parts::Digit;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};

/// A whole number. Only differences and shifted coordinates may be negative.
#[derive(Clone, PartialEq, Debug)]
pub enum Int {
    /// A constant.
    Const(i64),
    /// A variable.
    Var(Var),
    /// The size of an index.
    Size(IndexId),
    /// The size of a dimension of an operand.
    DimSize(OperandId, usize),
    /// The number of coordinates of a level: the factor in the positions of a full level.
    LevelSize(OperandId, usize),
    /// The smallest coordinate of a level, which is negative for diagonals.
    LevelLeast(OperandId, usize),
    /// The part of the offset in a packed operand that a coordinate of one dimension adds: in `f32[64,256]{1,0:T(8,128)}`, row
    /// 9 adds `9 / 8 * 2048 + 9 % 8 * 128`.
    Offset(OperandId, usize, Box<Int>),
    /// The element of an index array at a position. It has been checked to be within bounds: see [`Kernel::index_checks`].
    ///
    /// [`Kernel::index_checks`]: super::Kernel::index_checks
    Element(OperandId, Box<Int>),
    /// A sum.
    Add(Box<Int>, Box<Int>),
    /// A difference.
    Sub(Box<Int>, Box<Int>),
    /// A product.
    Mul(Box<Int>, Box<Int>),
    /// A quotient, rounded down, by a positive number.
    Div(Box<Int>, i64),
    /// A remainder, at least 0, by a positive number.
    Rem(Box<Int>, i64),
    /// The larger one.
    Max(Box<Int>, Box<Int>),
}

impl Int {
    pub(crate) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => Self::Const(a.saturating_add(b)),
            (a, Self::Const(0)) => a,
            (Self::Const(0), b) => b,
            (a, Self::Const(b @ i64::MIN..0)) => a.minus(Self::Const(-b.max(-i64::MAX))),
            (a, b) => Self::Add(Box::new(a), Box::new(b)),
        }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => Self::Const(a.saturating_sub(b)),
            (a, Self::Const(0)) => a,
            (a, Self::Const(b @ i64::MIN..0)) => a.plus(Self::Const(-b.max(-i64::MAX))),
            (a, b) => Self::Sub(Box::new(a), Box::new(b)),
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => Self::Const(a.saturating_mul(b)),
            (Self::Const(0), _) | (_, Self::Const(0)) => Self::Const(0),
            (a, Self::Const(1)) => a,
            (Self::Const(1), b) => b,
            (a, b) => Self::Mul(Box::new(a), Box::new(b)),
        }
    }

    pub(crate) fn over(self, divisor: i64) -> Self {
        match self {
            a if divisor == 1 => a,
            Self::Const(a) => Self::Const(a.div_euclid(divisor)),
            a => Self::Div(Box::new(a), divisor),
        }
    }

    /// A digit of the number.
    pub(crate) fn digit(self, digit: Digit<i64>) -> Self {
        let quotient = self.over(digit.div);
        match digit.size {
            Some(size) => quotient.modulo(size),
            None => quotient,
        }
    }

    pub(crate) fn modulo(self, divisor: i64) -> Self {
        match self {
            Self::Const(a) => Self::Const(a.rem_euclid(divisor)),
            _ if divisor == 1 => Self::Const(0),
            a => Self::Rem(Box::new(a), divisor),
        }
    }

    /// The number, or zero if it is negative: a window that is longer than the dimension along which it slides has no
    /// positions.
    pub(crate) fn or_zero(self) -> Self {
        match self {
            Self::Const(a) => Self::Const(a.max(0)),
            a if a.may_be_negative() => Self::Max(Box::new(a), Box::new(Self::Const(0))),
            a => a,
        }
    }

    fn may_be_negative(&self) -> bool {
        match self {
            Self::Const(a) => *a < 0,
            Self::Sub(..) | Self::LevelLeast(..) | Self::Var(_) => true,
            Self::Size(_) | Self::DimSize(..) | Self::LevelSize(..) => false,
            Self::Rem(..) | Self::Element(..) => false,
            Self::Add(a, b) | Self::Mul(a, b) => a.may_be_negative() || b.may_be_negative(),
            Self::Max(a, b) => a.may_be_negative() && b.may_be_negative(),
            Self::Div(a, _) | Self::Offset(_, _, a) => a.may_be_negative(),
        }
    }

    /// The quotient rounded up: the number of blocks of this size.
    pub(crate) fn blocks(self, size: i64) -> Self {
        if size == 1 { self } else { self.plus(Self::Const(size - 1)).over(size) }
    }

    /// Whether the number is a constant or a variable, so that it does not need a name.
    pub(crate) fn is_short(&self) -> bool {
        matches!(self, Self::Const(_) | Self::Var(_))
    }

    /// Whether the number contains a variable.
    pub(crate) fn mentions(&self, var: Var) -> bool {
        match self {
            Self::Var(other) => *other == var,
            Self::Const(_)
            | Self::Size(_)
            | Self::DimSize(..)
            | Self::LevelSize(..)
            | Self::LevelLeast(..) => false,
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Max(a, b) => {
                a.mentions(var) || b.mentions(var)
            }
            Self::Div(a, _) | Self::Rem(a, _) | Self::Offset(_, _, a) | Self::Element(_, a) => {
                a.mentions(var)
            }
        }
    }

    /// The number with each variable replaced by its definition.
    #[must_use]
    pub(crate) fn inlined(&self, lets: &BTreeMap<Var, Self>) -> Self {
        let part = |int: &Self| Box::new(int.inlined(lets));
        match self {
            Self::Var(var) => lets.get(var).unwrap_or(self).clone(),
            Self::Const(_)
            | Self::Size(_)
            | Self::DimSize(..)
            | Self::LevelSize(..)
            | Self::LevelLeast(..) => self.clone(),
            Self::Add(a, b) => Self::Add(part(a), part(b)),
            Self::Sub(a, b) => Self::Sub(part(a), part(b)),
            Self::Mul(a, b) => Self::Mul(part(a), part(b)),
            Self::Max(a, b) => Self::Max(part(a), part(b)),
            Self::Offset(operand, dim, a) => Self::Offset(*operand, *dim, part(a)),
            Self::Element(operand, a) => Self::Element(*operand, part(a)),
            Self::Div(a, by) => Self::Div(part(a), *by),
            Self::Rem(a, by) => Self::Rem(part(a), *by),
        }
    }

    /// Whether neither the number nor any intermediate result is ever negative, if only these variables may be.
    pub fn is_natural(&self, signed: &BTreeSet<Var>) -> bool {
        match self {
            Self::Const(number) => *number >= 0,
            Self::Var(var) => !signed.contains(var),
            Self::Size(_) | Self::DimSize(..) | Self::LevelSize(..) => true,
            Self::LevelLeast(..) | Self::Sub(..) => false,
            Self::Add(a, b) | Self::Mul(a, b) => a.is_natural(signed) && b.is_natural(signed),
            Self::Max(a, b) => a.is_natural(signed) || b.is_natural(signed),
            Self::Div(a, _) | Self::Offset(_, _, a) => a.is_natural(signed),
            Self::Rem(..) | Self::Element(..) => true,
        }
    }

    /// Whether the number contains an element of an index array.
    pub(crate) fn has_element(&self) -> bool {
        match self {
            Self::Element(..) => true,
            Self::Const(_)
            | Self::Var(_)
            | Self::Size(_)
            | Self::DimSize(..)
            | Self::LevelSize(..)
            | Self::LevelLeast(..) => false,
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Max(a, b) => {
                a.has_element() || b.has_element()
            }
            Self::Div(a, _) | Self::Rem(a, _) | Self::Offset(_, _, a) => a.has_element(),
        }
    }
}
