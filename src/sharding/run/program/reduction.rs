//! How elements are combined, on one device and between devices.

use super::HostArray;
use super::kernels::combined;
use super::numbers::Numbers;
use crate::sharding::run::{Combine, RunError, sum};
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::sharding::ReductionOp;

/// How two elements are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reduction {
    Sum,
    Product,
    Max,
    Min,
    And,
    Or,
    /// The second one is the result.
    Set,
}

impl Reduction {
    /// How devices combine their partial results of an unreduced tensor.
    pub(super) const fn of_unreduced(op: ReductionOp) -> Self {
        match op {
            ReductionOp::Sum => Self::Sum,
            ReductionOp::Max => Self::Max,
            ReductionOp::Min => Self::Min,
        }
    }

    /// The reduction of this name in StableHLO.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "add" => Self::Sum,
            "multiply" => Self::Product,
            "maximum" => Self::Max,
            "minimum" => Self::Min,
            "and" => Self::And,
            "or" => Self::Or,
            "set" => Self::Set,
            _ => return None,
        })
    }

    /// The equivalent for transports, which may have a collective for it.
    pub(super) const fn combine(self) -> Option<Combine> {
        match self {
            Self::Sum => Some(Combine::Sum),
            Self::Product => Some(Combine::Product),
            Self::Max => Some(Combine::Max),
            Self::Min => Some(Combine::Min),
            Self::And | Self::Or | Self::Set => None,
        }
    }

    /// The operation on each element.
    pub(super) const fn operation(self) -> &'static str {
        match self {
            Self::Sum => "add",
            Self::Product => "multiply",
            Self::Max => "maximum",
            Self::Min => "minimum",
            Self::And => "and",
            Self::Or | Self::Set => "or",
        }
    }

    /// Whether an element that is combined with itself is unchanged.
    pub(super) const fn is_idempotent(self) -> bool {
        !matches!(self, Self::Sum | Self::Product)
    }

    /// Combines numbers of one type; `None` if the operation is not defined for them.
    pub(super) fn both(self, first: Numbers, second: Numbers) -> Option<Numbers> {
        match self {
            Self::Set => Some(second),
            reduction => combined(reduction.operation(), first, second),
        }
    }

    /// Combines the elements of arrays of bytes with the elements of `others`.
    pub(super) fn of_bytes(
        self,
        bytes: &mut [u8],
        others: &[Vec<u8>],
        dtype: DType,
    ) -> Result<(), RunError> {
        if self == Self::Sum && dtype != DType::PRED {
            return sum::add(bytes, others, dtype);
        }
        let dims = [bytes.len() / dtype.byte_width()];
        let array = |bytes: &[u8]| HostArray::from_bytes(dtype, &dims, bytes.to_vec());
        let mut numbers = Numbers::of(&array(bytes)?);
        for other in others {
            let both = self.both(numbers, Numbers::of(&array(other)?));
            numbers = both.ok_or(RunError::Sum(dtype))?;
        }
        bytes.copy_from_slice(numbers.store(dtype, &dims)?.as_bytes());
        Ok(())
    }
}
