use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Permutation};
use alloc::vec;
use alloc::vec::Vec;

/// An operation on tensors of size `dims` that works on each element alone, `operands` of them to one result; where
/// `scalars` says so, an operand is a scalar instead, as in `select` and `clamp`.
pub fn elementwise(operands: usize, scalars: &[usize], dims: &[usize]) -> OpShardingRule {
    let ranks: Vec<_> = (0..operands)
        .map(|operand| if scalars.contains(&operand) { 0 } else { dims.len() })
        .collect();
    let mut rule = RuleBuilder::new(&ranks, &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        rule.shared(dim, size, PassThrough, false);
    }
    rule.build()
}

/// Dimensions in another order: dimension `i` of the result is dimension `permutation[i]` of the operand.
pub fn transpose(dims: &[usize], permutation: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[dims.len()]);
    for (result, &operand) in permutation.iter().enumerate() {
        rule.factor(&[Some(operand)], &[Some(result)], dims[operand], PassThrough);
    }
    rule.build()
}

/// Dimension `i` of the operand becomes dimension `to[i]` of the result, the others are new. A dimension of size 1
/// may become a larger one.
pub fn broadcast_in_dim(dims: &[usize], result: &[usize], to: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[result.len()]);
    for (at, &size) in result.iter().enumerate() {
        let mut operand = to.iter().position(|&dim| dim == at);
        if let Some(dim) = operand.filter(|&dim| dims[dim] == 1 && size != 1) {
            rule.factor(&[Some(dim)], &[None], 1, PassThrough);
            operand = None;
        }
        rule.factor(&[operand], &[Some(at)], size, PassThrough);
    }
    rule.build()
}

/// The dimensions `reversed` end to start.
pub fn reverse(dims: &[usize], reversed: &[usize]) -> OpShardingRule {
    let kind = |dim| if reversed.contains(&dim) { Permutation } else { PassThrough };
    pointwise(1, 1, dims, |dim| (kind(dim), false))
}

/// `tensors` tensors sorted along dimension `along`.
pub fn sort(tensors: usize, dims: &[usize], along: usize) -> OpShardingRule {
    let alone = dims.iter().enumerate().all(|(dim, &size)| dim == along || size == 1);
    pointwise(tensors, tensors, dims, |dim| match dim == along {
        true => (NeedReplication, alone),
        false => (PassThrough, false),
    })
}

/// A Fourier transform of the last `transformed` dimensions.
pub fn fft(dims: &[usize], result: &[usize], transformed: usize) -> OpShardingRule {
    let rank = dims.len();
    pointwise(1, 1, dims, |dim| match dim + transformed >= rank {
        true => (NeedReplication, dim + 1 == rank && dims[dim] != result[dim]),
        false => (PassThrough, false),
    })
}

/// Bits as another type; the side with the narrower type has one more dimension, the most minor.
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

/// Random bits of size `result` from a state, which goes in and comes out.
pub fn rng_bit_generator(state: &[usize], result: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[state.len()], &[state.len(), result.len()]);
    for (dim, &size) in state.iter().enumerate() {
        rule.blocked_factor(&[Some(dim)], &[Some(dim), None], size, NeedReplication);
    }
    for (dim, &size) in result.iter().enumerate() {
        rule.factor(&[None], &[None, Some(dim)], size, PassThrough);
    }
    rule.build()
}

/// A tensor, then scale, offset, mean and variance along dimension `feature`.
pub fn batch_norm_inference(dims: &[usize], feature: usize) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len(), 1, 1, 1, 1], &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        let mut operands = vec![Some(dim)];
        operands.resize(5, (dim == feature).then_some(0));
        rule.factor(&operands, &[Some(dim)], size, PassThrough);
    }
    rule.build()
}

/// A factor for each dimension, which all tensors have in common.
pub(super) fn pointwise(
    operands: usize,
    results: usize,
    dims: &[usize],
    kind: impl Fn(usize) -> (FactorKind, bool),
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&vec![dims.len(); operands], &vec![dims.len(); results]);
    for (dim, &size) in dims.iter().enumerate() {
        let (kind, blocked) = kind(dim);
        rule.shared(dim, size, kind, blocked);
    }
    rule.build()
}
