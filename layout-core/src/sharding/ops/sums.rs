//! The effect of operations on partial sums: the result of a linear operation is a partial sum if its operands are.

use crate::dtype::{DType, Kind};
use crate::sharding::constant::are_equal;
use crate::sharding::tensor::ReductionOp;

/// The operands that can be partial sums while the operation runs, so that its result is also a partial sum, which is summed over
/// the devices later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum PartialSums {
    /// No operand: `tanh(x + y)` is not `tanh(x) + tanh(y)`.
    Never,
    /// All operands together, as in `add`.
    All,
    /// These operands together, by number: their elements are only moved.
    Of(&'static [usize]),
    /// As [`PartialSums::Of`], but only for partial maxima and minima: the result contains elements of other operands too, which would
    /// be added up once for each device.
    Extremes(&'static [usize]),
    /// These operands together, by number: the operation is linear in them.
    Linear(&'static [usize]),
    /// Any one operand, as in a product.
    Any,
    /// The dividend, except for integers, whose division rounds.
    Dividend,
    /// The operands that the author of a custom operation names.
    Custom,
    /// Only the result: a complete value becomes partial sums without communication, because one device keeps it and the others
    /// set it to zero.
    Created,
}

impl PartialSums {
    /// Whether the result of an operation with this many operands, the first with elements of type `dtype`, is a partial sum if
    /// exactly these operands are partial sums. The elements of partial maxima and minima may only be moved.
    pub(in crate::sharding) const fn allows(
        self,
        partial: &[usize],
        operands: usize,
        dtype: DType,
        reduction: ReductionOp,
    ) -> bool {
        match self {
            Self::Of(_) | Self::Created => {}
            Self::Extremes(expected) => {
                return are_equal(partial, expected) && !matches!(reduction, ReductionOp::Sum);
            }
            _ if !matches!(reduction, ReductionOp::Sum) => return false,
            _ => {}
        }
        match self {
            Self::Never | Self::Extremes(_) => false,
            Self::All => partial.len() == operands,
            Self::Of(expected) | Self::Linear(expected) => are_equal(partial, expected),
            Self::Any => partial.len() == 1,
            Self::Dividend => {
                are_equal(partial, &[0]) && matches!(dtype.kind(), Kind::Float | Kind::Complex)
            }
            Self::Custom => !partial.is_empty(),
            Self::Created => are_equal(partial, &[0]),
        }
    }
}
