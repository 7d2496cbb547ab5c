//! Collectives that are operations of a program.

use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::{Effect, KernelTypes};
use super::input::Input;
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough};
use alloc::format;

const COLLECTIVE: Operation =
    Operation { only_imported: true, effect: Effect::Exchange, ..Operation::DEFAULT };

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["all_gather"],
        call: "all_gather(x, [16])",
        infer: Infer::By(|input| infer_resized(input, true)),
        sums: PartialSums::Of(&[0]),
        kernel: KernelTypes::All,
        ..COLLECTIVE
    },
    Operation {
        names: &["all_reduce"],
        infer: Infer::SAME,
        kernel: KernelTypes::Numbers,
        ..COLLECTIVE
    },
    Operation {
        names: &["all_to_all"],
        call: "all_to_all(x, [4, 16], split=0, concat=1)",
        attributes: &["split", "concat"],
        infer: Infer::By(infer_all_to_all),
        sums: PartialSums::Of(&[0]),
        kernel: KernelTypes::All,
        ..COLLECTIVE
    },
    Operation {
        names: &["collective_permute"],
        infer: Infer::SAME,
        sums: PartialSums::Of(&[0]),
        kernel: KernelTypes::All,
        ..COLLECTIVE
    },
    Operation {
        names: &["reduce_scatter"],
        call: "reduce_scatter(x, [4])",
        infer: Infer::By(|input| infer_resized(input, false)),
        kernel: KernelTypes::Numbers,
        ..COLLECTIVE
    },
];

/// `large` divided by `small`, if `small` divides it.
fn times(large: usize, small: usize) -> Option<usize> {
    match (large, small) {
        (0, 0) => Some(1),
        (_, 0) | (0, _) => None,
        _ => large.is_multiple_of(small).then(|| large / small),
    }
}

/// `all_gather(x, [16, 4])`, which makes one dimension larger, or `reduce_scatter(x, [4, 4])`, which makes one smaller.
fn infer_resized(input: &Input<'_>, grows: bool) -> Result<Inferred> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let changed = x.dims.iter().zip(result).filter(|(old, new)| old != new).count();
    if result.len() != x.dims.len() || changed > 1 {
        let message = format!("{:?} and {result:?} differ in more than one dimension", x.dims);
        return wrong(Subject::List(0), message);
    }
    if x.dims.iter().all(|&size| size == 0) {
        let message = format!("{:?} has no dimension with elements", x.dims);
        return wrong(Subject::Operand(0), message);
    }
    let fits = |old: usize, new: usize| match grows {
        true => times(new, old).is_some(),
        false => times(old, new).is_some(),
    };
    if let Some((old, new)) = x.dims.iter().zip(result).find(|(old, new)| !fits(**old, **new)) {
        let message = match grows {
            true => format!("a dimension of size {old} cannot be gathered to one of size {new}"),
            false => format!("a dimension of size {old} cannot be scattered to one of size {new}"),
        };
        let help = match grows {
            true => "the result has one such part for each device",
            false => "each device has an equal part of it",
        };
        return wrong_with_help(Subject::List(0), message, help);
    }
    let dim = (0..result.len()).find(|&dim| x.dims[dim] != result[dim]);
    Ok(Inferred::one(of_dims(x.dims, result, dim.into_iter()), result.to_vec(), x.dtype))
}

/// `all_to_all(x, [4, 16], split=0, concat=1)`
fn infer_all_to_all(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let rank = x.dims.len();
    let dim = |name: &str| match input.number(name)? {
        Some(dim) if dim < rank && result.len() == rank => Ok(dim),
        _ => wrong(Subject::Call, format!("expected `{name}`, a dimension of {:?}", x.dims)),
    };
    let (split, concat) = (dim("split")?, dim("concat")?);
    let other = |dim: &usize| *dim != split && *dim != concat;
    let same = (0..rank).filter(other).all(|dim| x.dims[dim] == result[dim]);
    let devices = match split == concat {
        true => Some(1).filter(|_| x.dims[split] == result[split]),
        false if x.dims[split] == 0 => {
            times(result[concat], x.dims[concat]).filter(|_| result[split] == 0)
        }
        false => times(x.dims[split], result[split])
            .filter(|&devices| x.dims[concat].checked_mul(devices) == Some(result[concat])),
    };
    if !same || devices.is_none() {
        let message = format!(
            "{:?} cannot become {result:?} where dimension {split} is split and {concat} joined",
            x.dims
        );
        let help = "one dimension must grow by the factor by which the other shrinks";
        return wrong_with_help(Subject::List(0), message, help);
    }
    let rule = all_to_all(x.dims, result, split, concat);
    Ok(Inferred::one(rule, result.to_vec(), x.dtype))
}

/// The rule of `all_gather` and `reduce_scatter`, which operate on dimension `dim`.
///
/// ```
/// use tensor_layout::sharding::ops::collective_dim;
/// let rule = collective_dim(&[4, 8], &[16, 8], 0);
/// assert_eq!(rule.to_string(), "<([j, i])->([k, i]) {i=8, j=4, k=16} need_replication={j, k}>");
/// ```
pub fn collective_dim(dims: &[usize], result: &[usize], dim: usize) -> OpShardingRule {
    of_dims(dims, result, core::iter::once(dim))
}

/// The rule of `all_to_all`, which splits dimension `split` and joins the parts along `concat`.
///
/// ```
/// use tensor_layout::sharding::ops::all_to_all;
/// let rule = all_to_all(&[8, 4], &[4, 8], 0, 1);
/// assert_eq!(rule.to_string(), "<([i, k])->([j, l]) {i=8, j=4, k=4, l=8} need_replication={i, j, k, l}>");
/// ```
pub fn all_to_all(dims: &[usize], result: &[usize], split: usize, concat: usize) -> OpShardingRule {
    let second = (concat != split).then_some(concat);
    of_dims(dims, result, core::iter::once(split).chain(second))
}

fn of_dims(
    dims: &[usize],
    result: &[usize],
    collective: impl Iterator<Item = usize> + Clone,
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        if !collective.clone().any(|other| other == dim) {
            rule.shared(dim, size, PassThrough, false);
        }
    }
    for dim in collective {
        rule.factor(&[Some(dim)], &[None], dims[dim], NeedReplication);
        rule.factor(&[None], &[Some(dim)], result[dim], NeedReplication);
    }
    rule.build()
}
