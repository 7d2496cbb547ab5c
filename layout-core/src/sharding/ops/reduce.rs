//! Reductions, sorts, and the largest values along a dimension.

use super::elements::Elements;
use super::elementwise::pointwise;
use super::error::{Result, Subject, wrong};
use super::execution::{Bodies, KernelTypes};
use super::input::Input;
use super::mlir::{CallText, Mlir, OpText};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::dtype::DType;
use crate::sharding::constant::contains;
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Reduction};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["approx_top_k", "partial_reduce"],
        call: "approx_top_k(x, i, 8)",
        infer: Infer::By(infer_approx_top_k),
        ..Operation::DEFAULT
    },
    Operation {
        names: &["reduce"],
        call: "reduce(x, [1])",
        infer: Infer::By(infer_reduce),
        sums: PartialSums::All,
        mlir: Mlir::StableHlo("reduce", |call| OpText {
            properties: call.list("dimensions", 0),
            region: reducer(call),
            takes_zeros: true,
        }),
        kernel: KernelTypes::Complex,
        on_shards: true,
        bodies: Bodies::Reducer,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["sort"],
        call: "sort(x, y, 0)",
        infer: Infer::By(infer_sort),
        mlir: Mlir::StableHlo("sort", |call| OpText {
            properties: format!("dimension = {} : i64, is_stable = false", call.number()),
            region: comparator(call),
            takes_zeros: false,
        }),
        kernel: KernelTypes::Numbers,
        only_imported: true,
        on_shards: true,
        bodies: Bodies::Whole,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["top_k"],
        call: "top_k(x, 8)",
        infer: Infer::By(infer_top_k),
        kernel: KernelTypes::Numbers,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// `reduce(x, [0])`, also of several arrays at once.
fn infer_reduce(input: &Input<'_>) -> Result<Inferred> {
    let x = input.first()?;
    input.same_size(0, &[])?;
    let rank = x.dims.len();
    let reduced = input.dims(0, rank, "the dimensions to reduce over")?;
    let kept = (0..rank).filter(|dim| !reduced.contains(dim));
    let result: Vec<_> = kept.map(|dim| x.dims[dim]).collect();
    let count = input.operands.len();
    // The initial scalars are not operands of a program's `reduce`.
    let mut rule = reduce(count, x.dims, reduced);
    rule.operands.truncate(count);
    let results = input.operands.iter().map(|operand| (result.clone(), operand.dtype)).collect();
    Ok(Inferred::several(rule, results))
}

/// The rule of a reduction of `inputs` tensors of the same size, each with an initial scalar, over the dimensions `reduced`.
///
/// ```
/// use tensor_layout::sharding::ops::reduce;
/// let rule = reduce(1, &[8, 4], &[1]);
/// assert_eq!(rule.to_string(), "<([i, j], [])->([i]) {i=8, j=4} reduction={j}>");
/// ```
pub fn reduce(inputs: usize, dims: &[usize], reduced: &[usize]) -> OpShardingRule {
    let kept = (0..dims.len()).filter(|dim| !reduced.contains(dim)).count();
    let mut operands = vec![(dims.len(), Some(0)); inputs];
    operands.resize(2 * inputs, (0, None));
    OpShardingRule::of_factors(&operands, &vec![kept; inputs], |at| {
        reduce_factor(dims, reduced, at)
    })
}

/// Factor `at` of the rule of [`reduce`]: dimension `at` of the operand.
pub(in crate::sharding) const fn reduce_factor(
    dims: &[usize],
    reduced: &[usize],
    at: usize,
) -> Option<RuleFactor> {
    if at >= dims.len() {
        return None;
    }
    if contains(reduced, at) {
        return Some(RuleFactor::new([Some(at), None], None, dims[at], Reduction));
    }
    let (mut result, mut dim) = (0, 0);
    while dim < at {
        if !contains(reduced, dim) {
            result += 1;
        }
        dim += 1;
    }
    Some(RuleFactor::new([Some(at), None], Some(result), dims[at], PassThrough))
}

/// The region of a reduction: sums.
fn reducer(call: &CallText<'_>) -> String {
    let scalars = call.scalars();
    let typed =
        |side: usize| scalars.iter().map(move |scalar| format!("{}: {}", scalar[side], scalar[2]));
    let arguments: Vec<_> = typed(0).chain(typed(1)).collect();
    let mut text = format!(" ({{\n  ^bb0({}):\n", arguments.join(", "));
    for [a, b, ty] in &scalars {
        text += &format!("    {a}.sum = stablehlo.add {a}, {b} : {ty}\n");
    }
    let sums: Vec<_> = scalars.iter().map(|[a, ..]| format!("{a}.sum")).collect();
    let types: Vec<_> = scalars.iter().map(|[.., ty]| ty.as_str()).collect();
    text + &format!("    stablehlo.return {} : {}\n  }})", sums.join(", "), types.join(", "))
}

/// `sort(x, 0)`, or several arrays sorted by the first.
fn infer_sort(input: &Input<'_>) -> Result<Inferred> {
    let x = input.first()?;
    input.same_size(0, &[])?;
    let dim = input.dim(x.dims.len(), "to sort along")?;
    let rule = sort(input.operands.len(), x.dims, dim);
    let results =
        input.operands.iter().map(|operand| (operand.dims.to_vec(), operand.dtype)).collect();
    Ok(Inferred::several(rule, results))
}

/// The rule of a sort of `tensors` tensors along dimension `along`.
///
/// ```
/// use tensor_layout::sharding::ops::sort;
/// let rule = sort(1, &[8, 4], 1);
/// assert_eq!(rule.to_string(), "<([i, j])->([i, j]) {i=8, j=4} need_replication={j}>");
/// ```
pub fn sort(tensors: usize, dims: &[usize], along: usize) -> OpShardingRule {
    let alone = dims.iter().enumerate().all(|(dim, &size)| dim == along || size == 1);
    pointwise(tensors, tensors, dims, |dim| match dim == along {
        true => (NeedReplication, alone),
        false => (PassThrough, false),
    })
}

/// The region of a sort, which compares the elements of the first array.
fn comparator(call: &CallText<'_>) -> String {
    let scalars = call.scalars();
    let arguments: Vec<_> =
        scalars.iter().map(|[a, b, ty]| format!("{a}: {ty}, {b}: {ty}")).collect();
    let [a, b, ty] = &scalars[0];
    format!(
        " ({{\n  ^bb0({}):\n    {a}.less = stablehlo.compare LT, {a}, {b} : ({ty}, {ty}) -> tensor<i1>\n    stablehlo.return {a}.less : tensor<i1>\n  }})",
        arguments.join(", ")
    )
}

/// The size of the result: the largest `k` along the last dimension, or a size that is smaller along another.
fn kept(dims: &[usize], input: &Input<'_>) -> Result<Vec<usize>> {
    if !input.attributes.lists.is_empty() {
        let result = input.list(0, "the size of the result")?;
        if result.len() != dims.len() || result.iter().zip(dims).any(|(new, old)| new > old) {
            return wrong(Subject::List(0), format!("{result:?} does not fit in {dims:?}"));
        }
        return Ok(result.to_vec());
    }
    let (Some(k), Some((last, batch))) = (input.count(), dims.split_last()) else {
        return wrong(Subject::Call, "expected the number of elements to keep: `top_k(x, 8)`");
    };
    if k > *last {
        let message = format!("a dimension of size {last} does not have {k} elements");
        return wrong(Subject::Call, message);
    }
    let mut result = batch.to_vec();
    result.push(k);
    Ok(result)
}

/// `top_k(x, 8)`: values and indices.
fn infer_top_k(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    input.elements(0, Elements::REAL)?;
    let result = kept(x.dims, input)?;
    let rule = top_k(x.dims, &result);
    Ok(Inferred::several(rule, vec![(result.clone(), x.dtype), (result, DType::S32)]))
}

/// The rule of `top_k`: the largest values and their indices, along the dimension whose size changes.
///
/// ```
/// use tensor_layout::sharding::ops::top_k;
/// let rule = top_k(&[8, 100], &[8, 5]);
/// assert_eq!(rule.to_string(), "<([i, j])->([i, j], [i, j]) {i=8, j=100} need_replication={j} blocked_propagation={j}>");
/// ```
pub fn top_k(dims: &[usize], result: &[usize]) -> OpShardingRule {
    pointwise(1, 2, dims, |dim| match dims[dim] == result[dim] {
        true => (PassThrough, false),
        false => (NeedReplication, true),
    })
}

/// `approx_top_k(x, indices, 8)`: values and indices.
fn infer_approx_top_k(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    input.same_size(0, &[])?;
    let (x, indices) = (input.operands[0], input.operands[1]);
    input.elements(0, Elements::REAL)?;
    input.elements(1, Elements::INTEGER)?;
    let result = kept(x.dims, input)?;
    // The initial scalars are not operands of a program's `approx_top_k`.
    let mut rule = approx_top_k(x.dims, &result);
    rule.operands.truncate(2);
    Ok(Inferred::several(rule, vec![(result.clone(), x.dtype), (result, indices.dtype)]))
}

/// The rule of `ApproxTopK` and `PartialReduce`. The operands are values and indices, each with an initial scalar.
///
/// ```
/// use tensor_layout::sharding::ops::approx_top_k;
/// let rule = approx_top_k(&[8, 100], &[8, 5]);
/// assert_eq!(rule.to_string(), "<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=8, j=100, k=5} need_replication={k} blocked_propagation={k}>");
/// ```
pub fn approx_top_k(dims: &[usize], result: &[usize]) -> OpShardingRule {
    let rank = dims.len();
    let mut rule = RuleBuilder::new(&[rank, rank, 0, 0], &[rank, rank]);
    for (dim, (&size, &kept)) in dims.iter().zip(result).enumerate() {
        if size == kept {
            rule.shared(dim, size, PassThrough, false);
        } else {
            rule.of(&[(0, dim), (1, dim)], &[], size, PassThrough, false);
            rule.of(&[], &[(0, dim), (1, dim)], kept, NeedReplication, true);
        }
    }
    rule.build()
}
