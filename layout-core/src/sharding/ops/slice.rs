//! Operations that cut, pad and join arrays.

use super::Mode;
use super::elements::Elements;
use super::error::{Result, Subject, wrong};
use super::execution::{KernelTypes, Shifts};
use super::input::Input;
use super::mlir::{CallText, Mlir, OpText, array, plain};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::propagation::OpKind;
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Permutation};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["concatenate"],
        call: "concatenate(x, y, 0)",
        infer: Infer::By(infer_concatenate),
        sums: PartialSums::All,
        mlir: Mlir::StableHlo("concatenate", |call| {
            OpText::properties(format!("dimension = {} : i64", call.number()))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["dynamic_slice"],
        call: "dynamic_slice(x, i, j, [4, 4])",
        kind: OpKind::DynamicSlice,
        infer: Infer::By(infer_dynamic_slice),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("dynamic_slice", |call| {
            OpText::properties(array("slice_sizes", call.results[0].dims))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["dynamic_update_slice"],
        call: "dynamic_update_slice(x, part, i, j)",
        kind: OpKind::DynamicSlice,
        attributes: &["indices"],
        infer: Infer::By(infer_dynamic_update_slice),
        sums: PartialSums::Of(&[0, 1]),
        mlir: Mlir::StableHlo("dynamic_update_slice", plain),
        kernel: KernelTypes::All,
        on_shards: true,
        shifts: Shifts::Smaller,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["pad"],
        call: "pad(x, [16])",
        infer: Infer::By(|input| infer_resized(input, "padded", |_, _| true)),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("pad", pad_text),
        kernel: KernelTypes::All,
        on_shards: true,
        shifts: Shifts::Unless(&[("low", 0), ("cut_low", 0), ("interior", 0)]),
        ..Operation::DEFAULT
    },
    Operation {
        names: &["slice"],
        call: "slice(x, [4])",
        infer: Infer::By(|input| infer_resized(input, "sliced", |new, old| new <= old)),
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::StableHlo("slice", |call| {
            let (limits, rank) = (call.results[0].dims, call.results[0].dims.len());
            let lists = [
                array("start_indices", &vec![0; rank]),
                array("limit_indices", limits),
                array("strides", &vec![1; rank]),
            ];
            OpText::properties(lists.join(", "))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// Only the end of each dimension changes: padding can be negative.
fn pad_text(call: &CallText<'_>) -> OpText {
    let (old, new) = (call.operands[0].dims, call.results[0].dims);
    let high: Vec<_> = new.iter().zip(old).map(|(new, old)| *new as i128 - *old as i128).collect();
    let zeros = vec![0; new.len()];
    let lists = [
        array("edge_padding_low", &zeros),
        array("edge_padding_high", &high),
        array("interior_padding", &zeros),
    ];
    OpText { takes_zeros: true, ..OpText::properties(lists.join(", ")) }
}

/// `slice(x, [4])`, or `pad(x, [16])`, which can also cut a dimension.
fn infer_resized(
    input: &Input<'_>,
    how: &str,
    allowed: fn(&usize, &usize) -> bool,
) -> Result<Inferred> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let fits = result.len() == x.dims.len()
        && result.iter().zip(x.dims).all(|(new, old)| allowed(new, old));
    if !fits {
        return wrong(Subject::List(0), format!("{:?} cannot be {how} to {result:?}", x.dims));
    }
    // The scalar that is added is not an operand of a program's `pad`.
    Ok(Inferred::one(slice(x.dims, result, Mode::Normal), result.to_vec(), x.dtype))
}

/// The rule of a slice: a tensor with some dimensions cut.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, slice};
/// let rule = slice(&[8, 4], &[8, 2], Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, j])->([i, j]) {i=8, j=4} permutation={j}>");
/// ```
pub fn slice(dims: &[usize], result: &[usize], mode: Mode) -> OpShardingRule {
    resized(&[dims.len()], dims, result, mode)
}

/// The rule of a tensor with some dimensions padded with a scalar, or cut.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, pad};
/// let rule = pad(&[8, 4], &[8, 6], Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, j], [])->([i, j]) {i=8, j=4} permutation={j}>");
/// ```
pub fn pad(dims: &[usize], result: &[usize], mode: Mode) -> OpShardingRule {
    resized(&[dims.len(), 0], dims, result, mode)
}

fn resized(operands: &[usize], dims: &[usize], result: &[usize], mode: Mode) -> OpShardingRule {
    let mut rule = RuleBuilder::new(operands, &[dims.len()]);
    for (dim, (&size, &other)) in dims.iter().zip(result).enumerate() {
        let kind = resized_kind(size, other);
        rule.shared(dim, size, kind, mode.is_conservative() && matches!(kind, Permutation));
    }
    rule.build()
}

/// The kind of the factor of a dimension that becomes smaller or larger: devices then exchange edges.
pub(in crate::sharding) const fn resized_kind(size: usize, other: usize) -> FactorKind {
    if size == other { PassThrough } else { Permutation }
}

/// `concatenate(x, y, 0)`
fn infer_concatenate(input: &Input<'_>) -> Result<Inferred> {
    let first = input.first()?;
    let along = input.dim(first.dims.len(), "to concatenate along")?;
    let mut dims = first.dims.to_vec();
    for (at, operand) in input.operands.iter().enumerate().skip(1) {
        let same = operand.dims.len() == dims.len()
            && (0..dims.len()).all(|dim| dim == along || operand.dims[dim] == dims[dim]);
        if !same {
            let message = format!(
                "an array of size {:?} cannot be joined to one of size {:?} along dimension {along}",
                operand.dims, first.dims
            );
            return wrong(Subject::Operand(at), message);
        }
        input.same_elements(0, [at])?;
        let Some(size) = dims[along].checked_add(operand.dims[along]) else {
            return wrong(Subject::Operand(at), "the result is too large");
        };
        dims[along] = size;
    }
    let rule = concatenate(input.operands.len(), &dims, along, false, Mode::Normal);
    Ok(Inferred::one(rule, dims, first.dtype))
}

/// The rule of tensors that are joined along a dimension. `halo` says that every operand is a slice, or that all are computed from
/// one tensor and one of them is a slice of it: devices then need only each other's edges.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, concatenate};
/// let rule = concatenate(2, &[8, 4], 0, false, Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, j], [i, j])->([i, j]) {i=8, j=4} need_replication={i}>");
/// ```
pub fn concatenate(
    operands: usize,
    result: &[usize],
    along: usize,
    halo: bool,
    mode: Mode,
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&vec![result.len(); operands], &[result.len()]);
    for (dim, &size) in result.iter().enumerate() {
        match (dim == along, halo) {
            (false, _) => rule.shared(dim, size, PassThrough, false),
            (true, _) if mode.is_conservative() => {}
            (true, true) => rule.shared(dim, size, Permutation, false),
            (true, false) => rule.shared(dim, size, NeedReplication, false),
        }
    }
    rule.build()
}

/// Checks the operands from `start` on, which are the start of a slice: scalars of one integer type.
fn start_indices(input: &Input<'_>, start: usize) -> Result<()> {
    input.scalars(start)?;
    if start < input.operands.len() {
        input.elements(start, Elements::INTEGER)?;
        input.same_elements(start, start + 1..input.operands.len())?;
    }
    Ok(())
}

/// `dynamic_slice(x, i, j, [4, 4])`, with a scalar for each dimension.
fn infer_dynamic_slice(input: &Input<'_>) -> Result<Inferred> {
    let x = input.first()?;
    input.arity(1 + x.dims.len())?;
    start_indices(input, 1)?;
    let result = input.list(0, "the size of the slice")?;
    if result.len() != x.dims.len() || result.iter().zip(x.dims).any(|(new, old)| new > old) {
        return wrong(Subject::List(0), format!("{:?} cannot be sliced to {result:?}", x.dims));
    }
    Ok(Inferred::one(dynamic_slice(x.dims, result), result.to_vec(), x.dtype))
}

/// The rule of a slice that begins at an index, which is a scalar operand for each dimension.
///
/// ```
/// use tensor_layout::sharding::ops::dynamic_slice;
/// let rule = dynamic_slice(&[8, 4], &[8, 2]);
/// assert_eq!(rule.to_string(), "<([i, j], [], [])->([i, j]) {i=8, j=4} need_replication={j} blocked_propagation={j}>");
/// ```
pub fn dynamic_slice(dims: &[usize], result: &[usize]) -> OpShardingRule {
    let mut ranks = vec![dims.len()];
    ranks.resize(1 + dims.len(), 0);
    let mut rule = RuleBuilder::new(&ranks, &[dims.len()]);
    for (dim, (&size, &cut)) in dims.iter().zip(result).enumerate() {
        match size == cut {
            true => rule.shared(dim, size, PassThrough, false),
            false => rule.shared(dim, size, NeedReplication, true),
        }
    }
    rule.build()
}

/// `dynamic_update_slice(x, update, i, j, indices=constant)`
fn infer_dynamic_update_slice(input: &Input<'_>) -> Result<Inferred> {
    let x = input.first()?;
    input.arity(2 + x.dims.len())?;
    start_indices(input, 2)?;
    input.same_elements(0, [1])?;
    let update = input.operands[1].dims;
    if update.len() != x.dims.len() || update.iter().zip(x.dims).any(|(new, old)| new > old) {
        let message =
            format!("an array of size {update:?} does not fit in one of size {:?}", x.dims);
        return wrong(Subject::Operand(1), message);
    }
    let constant = input.word("indices", &["dynamic", "constant"])? == "constant";
    let rule = dynamic_update_slice(x.dims, update, constant);
    Ok(Inferred::one(rule, x.dims.to_vec(), x.dtype))
}

/// The rule of an operation that replaces the part of a tensor that begins at an index. The index is given by one scalar operand
/// for each dimension. `constant` says that it is known at compile time.
///
/// ```
/// use tensor_layout::sharding::ops::dynamic_update_slice;
/// let rule = dynamic_update_slice(&[8, 4], &[8, 2], false);
/// assert_eq!(rule.to_string(), "<([i, j], [i, k], [], [])->([i, j]) {i=8, j=4, k=2} need_replication={k}>");
/// ```
pub fn dynamic_update_slice(dims: &[usize], update: &[usize], constant: bool) -> OpShardingRule {
    let rank = dims.len();
    let mut operands = vec![(rank, Some(0)), (rank, Some(1))];
    operands.resize(2 + rank, (0, None));
    OpShardingRule::of_factors(&operands, &[rank], |at| update_factor(dims, update, constant, at))
}

/// Factor `at` of the rule of [`dynamic_update_slice`]: two for each dimension, since the update has a factor of its own where
/// it is smaller.
pub(in crate::sharding) const fn update_factor(
    dims: &[usize],
    update: &[usize],
    constant: bool,
    at: usize,
) -> Option<RuleFactor> {
    let dim = at / 2;
    if dim >= dims.len() {
        return None;
    }
    let (size, part) = (dims[dim], update[dim]);
    let kind = if constant { PassThrough } else { NeedReplication };
    Some(match (at % 2, size == part) {
        (0, true) => RuleFactor::shared(dim, size, PassThrough),
        (_, true) => RuleFactor::NONE,
        (0, false) => RuleFactor::new([Some(dim), None], Some(dim), size, PassThrough),
        (_, false) => RuleFactor::new([None, Some(dim)], None, part, kind),
    })
}
