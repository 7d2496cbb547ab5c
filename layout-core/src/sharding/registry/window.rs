use super::Mode;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Permutation};
use alloc::vec;
use alloc::vec::Vec;

/// Tensors one behind the other along a dimension. `halo` where every operand is a slice, or all come from one tensor
/// and one of them is a slice: then devices need each other's edges only.
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

/// A tensor with some dimensions cut.
pub fn slice(dims: &[usize], result: &[usize], mode: Mode) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[dims.len()]);
    changed(&mut rule, dims, result, mode);
    rule.build()
}

/// A tensor with some dimensions padded with a scalar, or cut.
pub fn pad(dims: &[usize], result: &[usize], mode: Mode) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len(), 0], &[dims.len()]);
    changed(&mut rule, dims, result, mode);
    rule.build()
}

fn changed(rule: &mut RuleBuilder, dims: &[usize], result: &[usize], mode: Mode) {
    for (dim, (&size, &other)) in dims.iter().zip(result).enumerate() {
        match size == other {
            true => rule.shared(dim, size, PassThrough, false),
            false => rule.shared(dim, size, Permutation, mode.is_conservative()),
        }
    }
}

/// A cut at an index, a scalar for each dimension.
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

/// A tensor with part of it replaced, at an index, a scalar for each dimension; `constant` if that is known.
pub fn dynamic_update_slice(dims: &[usize], update: &[usize], constant: bool) -> OpShardingRule {
    let mut ranks = vec![dims.len(), dims.len()];
    ranks.resize(2 + dims.len(), 0);
    let mut rule = RuleBuilder::new(&ranks, &[dims.len()]);
    let kind = if constant { PassThrough } else { NeedReplication };
    for (dim, (&size, &part)) in dims.iter().zip(update).enumerate() {
        if size == part {
            rule.shared(dim, size, PassThrough, false);
        } else {
            rule.of(&[(0, dim)], &[(0, dim)], size, PassThrough, false);
            rule.of(&[(1, dim)], &[], part, kind, false);
        }
    }
    rule.build()
}

/// `inputs` tensors, each with a scalar to start from, reduced over windows. `moving` has the dimensions whose window is
/// larger than one element, or moves by more, or is padded.
pub fn reduce_window(
    inputs: usize,
    result: &[usize],
    moving: &[usize],
    mode: Mode,
) -> OpShardingRule {
    let mut ranks = vec![result.len(); inputs];
    ranks.resize(2 * inputs, 0);
    let mut rule = RuleBuilder::new(&ranks, &vec![result.len(); inputs]);
    for (dim, &size) in result.iter().enumerate() {
        match moving.contains(&dim) {
            true => rule.shared(dim, size, Permutation, mode.is_conservative()),
            false => rule.shared(dim, size, PassThrough, false),
        }
    }
    rule.build()
}

/// A tensor, a source with one element for each window of it, and a scalar to start from.
pub fn select_and_scatter(dims: &[usize], source: &[usize], mode: Mode) -> OpShardingRule {
    let rank = dims.len();
    let mut rule = RuleBuilder::new(&[rank, rank, 0], &[rank]);
    let blocked = mode.is_conservative();
    let pairs: Vec<_> = dims.iter().copied().zip(source.iter().copied()).enumerate().collect();
    for (dim, (size, windows)) in pairs {
        if size == windows {
            rule.shared(dim, size, PassThrough, false);
        } else {
            rule.of(&[(1, dim)], &[], windows, NeedReplication, blocked);
            rule.of(&[(0, dim)], &[(0, dim)], size, Permutation, blocked);
        }
    }
    rule.build()
}
