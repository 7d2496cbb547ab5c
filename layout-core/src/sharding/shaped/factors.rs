//! The factors of a call, and how its tensors split them.

use super::axes::{Axes, NONE, append, push_or_merge};
use super::{ShapedCall, ShapedOp};
use crate::list::List;
use crate::parts::MAX_RANK;
use crate::sharding::axis::Axis;
use crate::sharding::ops::{
    GatherNumbers, broadcast_factor, reduce_factor, reshape_factor, resized_kind, transpose_factor,
    update_factor,
};
use crate::sharding::propagation::part_for;
use crate::sharding::rule::{FactorKind, RuleFactor};

/// The largest number of factors of one call.
const MAX_FACTORS: usize = 4 * MAX_RANK;

pub(super) type Factors = List<RuleFactor, MAX_FACTORS>;

/// The numbers of the dimensions of an array.
const NUMBERS: [usize; MAX_RANK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl ShapedCall<'_> {
    /// Factor `at` of the rule, for a result of the size `result`.
    const fn factor(&self, result: &[usize], at: usize) -> Option<RuleFactor> {
        let x = self.operands[0].dims;
        let y = if self.operands.len() > 1 { self.operands[1].dims } else { &[] };
        match self.op {
            ShapedOp::Dot(numbers) => numbers.factor(x, y, at),
            ShapedOp::Transpose(permutation) => transpose_factor(x, permutation, at),
            ShapedOp::Broadcast(to) => broadcast_factor(x, result, to, at),
            ShapedOp::Reduce(dims) => reduce_factor(x, dims, at),
            ShapedOp::Reshape => reshape_factor(x, result, at),
            ShapedOp::Update => update_factor(x, y, false, at),
            ShapedOp::Rows => {
                let (dims, _) = NUMBERS.split_at(x.len());
                let rows = GatherNumbers {
                    offset: dims.split_at(1).1,
                    collapsed: &[0],
                    operand_batch: &[],
                    indices_batch: &[],
                    index_vector: 1,
                };
                rows.factor(x, y, result, at)
            }
            _ if at >= x.len() => None,
            _ => Some(RuleFactor::shared(at, x[at], self.kind_of_dim(result, at))),
        }
    }

    /// The kind of the factor of a dimension that all tensors have.
    const fn kind_of_dim(&self, result: &[usize], dim: usize) -> FactorKind {
        match self.op {
            ShapedOp::Slice => resized_kind(self.operands[0].dims[dim], result[dim]),
            ShapedOp::Along(along) | ShapedOp::Concatenate(along) if along == dim => {
                FactorKind::NeedReplication
            }
            _ => FactorKind::PassThrough,
        }
    }

    /// All factors.
    pub(super) const fn factors(&self, result: &[usize]) -> Factors {
        let (mut factors, mut at) = (List::new(RuleFactor::NONE), 0);
        while let Some(factor) = self.factor(result, at) {
            let [first, second] = factor.operands;
            if first.is_some() || second.is_some() || factor.result.is_some() {
                factors = match factors.push(factor) {
                    Ok(factors) => factors,
                    Err(_) => panic!("the dimensions of the operation have more than 64 factors"),
                };
            }
            at += 1;
        }
        factors
    }
}

/// Whether factor `at` is one of those of dimension `dim` of a tensor. A factor of size 1 belongs to a dimension only if no other
/// factor of the dimension precedes it.
pub(super) const fn is_of(factors: &Factors, at: usize, tensor: usize, dim: usize) -> bool {
    let own = factors.items[at].dim(tensor);
    if !matches!(own, Some(own) if own == dim) {
        return false;
    }
    let mut before = 0;
    while factors.items[at].size == 1 && before < at {
        if matches!(factors.items[before].dim(tensor), Some(other) if other == dim) {
            return false;
        }
        before += 1;
    }
    true
}

/// Whether a factor after `at` also belongs to the dimension.
const fn has_more(factors: &Factors, at: usize, tensor: usize, dim: usize) -> bool {
    let mut next = at + 1;
    while next < factors.len {
        if is_of(factors, next, tensor, dim) {
            return true;
        }
        next += 1;
    }
    false
}

/// How the axes of a dimension split its factors.
pub(super) struct DimSplit {
    /// The axes of the factor in question.
    pub(super) axes: Axes,
    /// Whether the axes, or parts of axes, of each factor divide it. Local arrays then also have whole factors.
    pub(super) divides: bool,
}

/// How a tensor splits factor `factor`, whose dimension is split along `all`. Axes are assigned as propagation projects them:
/// the first factors of a dimension take the first axes.
pub(super) const fn split_of(
    call: &ShapedCall<'_>,
    factors: &Factors,
    tensor: usize,
    all: &Axes,
    factor: usize,
) -> DimSplit {
    let mut split = DimSplit { axes: NONE, divides: true };
    let dim = match factors.items[factor].dim(tensor) {
        Some(dim) => dim,
        None => return split,
    };
    let (mut at, mut next, mut rest, mut count) = (0, 0, None, 0);
    while at < factors.len {
        if is_of(factors, at, tensor, dim) {
            let is_last = !has_more(factors, at, tensor, dim);
            let (mut left, mut own): (usize, Axes) = (factors.items[at].size, NONE);
            while let Some(axis) = current(all, next, rest) {
                match part_for(left, axis) {
                    Some((part, after)) => {
                        own = push_or_merge(own, part, call.mesh);
                        left /= part.size();
                        rest = after;
                    }
                    None if is_last => {
                        own = push_or_merge(own, axis, call.mesh);
                        (rest, split.divides) = (None, split.divides && count == 0);
                    }
                    None => break,
                }
                if rest.is_none() {
                    next += 1;
                }
            }
            split.divides &= left <= 1 || is_last || current(all, next, rest).is_none();
            if at == factor {
                split.axes = append(NONE, &own, call.mesh);
            }
            count += 1;
        }
        at += 1;
    }
    split
}

/// The next axis, or the part of it that remains.
const fn current(all: &Axes, next: usize, rest: Option<Axis>) -> Option<Axis> {
    match rest {
        Some(axis) => Some(axis),
        None if next < all.len => Some(all.items[next]),
        None => None,
    }
}

/// The dimension of a tensor that has a factor.
pub(super) const fn of_dim(factors: &Factors, at: usize, tensor: usize) -> usize {
    match factors.items[at].dim(tensor) {
        Some(dim) => dim,
        None => 0,
    }
}
