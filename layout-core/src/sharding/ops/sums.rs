//! The effect of operations on partial sums: the result of a linear operation is a partial sum if its operands are.

use crate::dtype::{DType, Kind};
use crate::sharding::constant::are_equal;
use crate::sharding::tensor::ReductionOp;

/// The operands that can be partial sums while the operation runs, so that its result is one, too, and is summed over the
/// devices later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum PartialSums {
    /// None of them: `tanh(x + y)` is not `tanh(x) + tanh(y)`.
    Never,
    /// All of them together, as in `add`.
    All,
    /// These at once, by number: their elements are moved, and not computed with.
    Of(&'static [usize]),
    /// These at once, by number, of an operation that is linear in them.
    Linear(&'static [usize]),
    /// Any one of them, as in a product.
    Any,
    /// The dividend, unless elements are integers, whose division rounds.
    Dividend,
    /// Those that the author of a custom operation names.
    Custom,
    /// Only the result: a complete value becomes partial sums without communication, because one device keeps it and the others
    /// set it to zero.
    Created,
}

impl PartialSums {
    /// Whether the result of an operation with this many operands, the first with elements of type `dtype`, is a partial sum if
    /// exactly these operands are partial sums. Of partial maxima and minima, the elements may only be moved.
    pub(in crate::sharding) const fn allows(
        self,
        partial: &[usize],
        operands: usize,
        dtype: DType,
        reduction: ReductionOp,
    ) -> bool {
        match self {
            Self::Of(_) | Self::Created => {}
            _ if !matches!(reduction, ReductionOp::Sum) => return false,
            _ => {}
        }
        match self {
            Self::Never => false,
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
