//! Operations that move elements to other dimensions, or reinterpret them.

use super::elementwise::{named_type, pointwise};
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText, plain};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::dtype::Kind;
use crate::sharding::constant::position;
use crate::sharding::propagation::OpKind;
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Permutation};
use alloc::format;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["bitcast_convert"],
        kind: OpKind::Elementwise,
        call: "bitcast_convert(x, type=u8)",
        attributes: &["type"],
        infer: Infer::By(infer_bitcast_convert),
        mlir: Mlir::StableHlo("bitcast_convert", plain),
        kernel: KernelTypes::Narrow,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["broadcast_in_dim"],
        call: "broadcast_in_dim(x, [8, 4], [0])",
        kind: OpKind::BroadcastInDim,
        infer: Infer::By(infer_broadcast_in_dim),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("broadcast_in_dim", |call| {
            OpText::properties(call.list("broadcast_dimensions", 1))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["reverse"],
        call: "reverse(x, [0])",
        infer: Infer::By(infer_reverse),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("reverse", |call| OpText::properties(call.list("dimensions", 0))),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["transpose"],
        call: "transpose(x, [1, 0])",
        kind: OpKind::Reshape,
        infer: Infer::By(infer_transpose),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("transpose", |call| OpText::properties(call.list("permutation", 0))),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// `transpose(x, [1, 0])`
fn infer_transpose(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let rank = x.dims.len();
    let order = input.dims(0, rank, "the order of the dimensions")?;
    if order.len() != rank {
        let message = format!("expected {rank} dimensions, found {}", order.len());
        return wrong(Subject::List(0), message);
    }
    let result = order.iter().map(|&dim| x.dims[dim]).collect();
    Ok(Inferred::one(transpose(x.dims, order), result, x.dtype))
}

/// The rule of a transpose: dimension `i` of the result is dimension `permutation[i]` of the operand.
///
/// ```
/// use tensor_layout::sharding::ops::transpose;
/// let rule = transpose(&[8, 4], &[1, 0]);
/// assert_eq!(rule.to_string(), "<([j, i])->([i, j]) {i=4, j=8}>");
/// ```
pub fn transpose(dims: &[usize], permutation: &[usize]) -> OpShardingRule {
    let operands = [(dims.len(), Some(0))];
    OpShardingRule::of_factors(&operands, &[dims.len()], |at| {
        transpose_factor(dims, permutation, at)
    })
}

/// Factor `at` of the rule of [`transpose`].
pub(in crate::sharding) const fn transpose_factor(
    dims: &[usize],
    permutation: &[usize],
    at: usize,
) -> Option<RuleFactor> {
    if at >= permutation.len() {
        return None;
    }
    let dim = permutation[at];
    Some(RuleFactor::new([Some(dim), None], Some(at), dims[dim], PassThrough))
}

/// `broadcast_in_dim(x, [8, 4], [0])`
fn infer_broadcast_in_dim(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let to = input.dims(1, result.len(), "the dimension that each one becomes")?;
    let fits = to.len() == x.dims.len()
        && to.iter().zip(x.dims).all(|(&to, &size)| size == 1 || size == result[to]);
    if !fits {
        let message = format!("{:?} cannot become dimensions {to:?} of {result:?}", x.dims);
        return wrong(Subject::List(1), message);
    }
    Ok(Inferred::one(broadcast_in_dim(x.dims, result, to), result.to_vec(), x.dtype))
}

/// The rule of a broadcast. Dimension `i` of the operand becomes dimension `to[i]` of the result, and the other dimensions are new.
/// A dimension of size 1 may become larger.
///
/// ```
/// use tensor_layout::sharding::ops::broadcast_in_dim;
/// let rule = broadcast_in_dim(&[4], &[8, 4], &[1]);
/// assert_eq!(rule.to_string(), "<([j])->([i, j]) {i=8, j=4}>");
/// ```
pub fn broadcast_in_dim(dims: &[usize], result: &[usize], to: &[usize]) -> OpShardingRule {
    let operands = [(dims.len(), Some(0))];
    OpShardingRule::of_factors(&operands, &[result.len()], |at| {
        broadcast_factor(dims, result, to, at)
    })
}

/// Factor `at` of the rule of [`broadcast_in_dim`]: two for each dimension of the result, of which the first is that of a
/// dimension of size 1 that becomes larger.
pub(in crate::sharding) const fn broadcast_factor(
    dims: &[usize],
    result: &[usize],
    to: &[usize],
    at: usize,
) -> Option<RuleFactor> {
    let dim = at / 2;
    if dim >= result.len() {
        return None;
    }
    let operand = position(to, dim);
    let grows = match operand {
        Some(operand) => dims[operand] == 1 && result[dim] != 1,
        None => false,
    };
    Some(match (at % 2, grows) {
        (0, false) => RuleFactor::NONE,
        (0, true) => RuleFactor::new([operand, None], None, 1, PassThrough),
        (_, true) => RuleFactor::new([None, None], Some(dim), result[dim], PassThrough),
        (_, false) => RuleFactor::new([operand, None], Some(dim), result[dim], PassThrough),
    })
}

/// `reverse(x, [0])`
fn infer_reverse(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let reversed = input.dims(0, x.dims.len(), "the dimensions to reverse")?;
    Ok(Inferred::one(reverse(x.dims, reversed), x.dims.to_vec(), x.dtype))
}

/// The rule of reversing the dimensions `reversed`.
///
/// ```
/// use tensor_layout::sharding::ops::reverse;
/// let rule = reverse(&[8, 4], &[0]);
/// assert_eq!(rule.to_string(), "<([i, j])->([i, j]) {i=8, j=4} permutation={i}>");
/// ```
pub fn reverse(dims: &[usize], reversed: &[usize]) -> OpShardingRule {
    let kind = |dim| if reversed.contains(&dim) { Permutation } else { PassThrough };
    pointwise(1, 1, dims, |dim| (kind(dim), false))
}

/// `bitcast_convert(x, type=u8)`
fn infer_bitcast_convert(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let to = named_type(input)?;
    let subject = Subject::Attribute("type".into());
    if (x.dtype.kind() == Kind::Complex) != (to.kind() == Kind::Complex) {
        let message = format!("elements of type `{}` cannot be reinterpreted as `{to}`", x.dtype);
        let help = "use `complex`, `real` and `imag` for real and imaginary parts";
        return wrong_with_help(subject, message, help);
    }
    let (from, into) = (x.dtype.bits(), to.bits());
    let mut result = x.dims.to_vec();
    if into < from && from.is_multiple_of(into) {
        result.push(from / into);
    } else if into.is_multiple_of(from) && result.last() == Some(&(into / from)) && into > from {
        result.pop();
    } else if into != from {
        let message =
            format!("elements of {from} bits cannot be reinterpreted as elements of {into} bits");
        return wrong(subject, message);
    }
    Ok(Inferred::one(bitcast_convert(x.dims, &result), result, to))
}

/// The rule of reinterpreting the bits of elements as another type. The side with the narrower type has one more dimension, which
/// is the most minor.
///
/// ```
/// use tensor_layout::sharding::ops::bitcast_convert;
/// let rule = bitcast_convert(&[8], &[8, 4]);
/// assert_eq!(rule.to_string(), "<([i])->([i, j]) {i=8, j=4} need_replication={j}>");
/// ```
pub fn bitcast_convert(dims: &[usize], result: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[result.len()]);
    let shorter = if dims.len() < result.len() { dims } else { result };
    for (dim, &size) in shorter.iter().enumerate() {
        rule.shared(dim, size, PassThrough, false);
    }
    let extra = shorter.len();
    if let Some(&size) = result.get(extra) {
        rule.factor(&[None], &[Some(extra)], size, NeedReplication);
    } else if let Some(&size) = dims.get(extra) {
        rule.factor(&[Some(extra)], &[None], size, NeedReplication);
    }
    rule.build()
}
