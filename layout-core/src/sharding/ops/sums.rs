//! What operations make of partial sums: an operation that is linear gives a partial sum where its operands are.

use crate::dtype::{DType, Kind};

/// The operands that may be partial sums while the operation runs, so that its result is one and is summed over the
/// devices later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum PartialSums {
    /// None of them: `tanh(x + y)` is not `tanh(x) + tanh(y)`.
    Never,
    /// All of them at once, as in `add`.
    All,
    /// These at once, by number.
    Of(&'static [usize]),
    /// Any one of them, as in a product.
    Any,
    /// The dividend, unless elements are integers: their division rounds.
    Dividend,
    /// Those that the author of a custom operation says.
    Custom,
    /// The result alone: a complete value becomes partial sums without communication, since one device keeps it and the
    /// others take zeros.
    Created,
}

impl PartialSums {
    /// Whether an operation with this many operands, the first with elements of type `dtype`, gives a partial sum where
    /// exactly these operands are partial sums.
    pub(in crate::sharding) fn allows(
        self,
        partial: &[usize],
        operands: usize,
        dtype: DType,
    ) -> bool {
        match self {
            Self::Never => false,
            Self::All => partial.len() == operands,
            Self::Of(expected) => partial == expected,
            Self::Any => partial.len() == 1,
            Self::Dividend => partial == [0] && matches!(dtype.kind(), Kind::Float | Kind::Complex),
            Self::Custom => !partial.is_empty(),
            Self::Created => partial == [0],
        }
    }
}
