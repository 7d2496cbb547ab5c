//! Reshapes: the same elements, row-major, with other dimensions.

use super::error::{Result, Subject, wrong_with_help};
use super::input::Input;
use super::mlir::{Mlir, plain};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::propagation::{OpKind, gcd};
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[Operation {
    names: &["reshape"],
    kind: OpKind::Reshape,
    infer: Infer::By(infer_reshape),
    sums: PartialSums::Of(&[0]),
    mlir: Mlir::StableHlo("reshape", plain),
    ..Operation::DEFAULT
}];

/// The number of elements; `None` if it does not fit a `usize`.
fn elements(dims: &[usize]) -> Option<usize> {
    match dims.contains(&0) {
        true => Some(0),
        false => dims.iter().try_fold(1, |n: usize, &size| n.checked_mul(size)),
    }
}

/// `reshape(x, [2, 32])`
fn infer_reshape(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let (from, to) = (elements(x.dims), elements(result));
    if from != to || from.is_none() {
        let count = |elements: Option<usize>| {
            elements.map_or_else(|| "too many".into(), |elements| format!("{elements}"))
        };
        let message =
            format!("{:?} has {} elements, but {result:?} has {}", x.dims, count(from), count(to));
        return wrong_with_help(Subject::List(0), message, with_last_size(from, result));
    }
    let results = alloc::vec![(result.to_vec(), x.dtype)];
    Ok(Inferred { results, rule: reshape(x.dims, result) })
}

/// The help that proposes the size of the last dimension with which a result has `elements` elements; empty if there is none.
fn with_last_size(elements: Option<usize>, result: &[usize]) -> String {
    let Some((_, first)) = result.split_last() else { return String::new() };
    let first_len = first.iter().try_fold(1, |len: usize, &size| len.checked_mul(size));
    match (elements, first_len) {
        (Some(elements), Some(len)) if len > 0 && elements.is_multiple_of(len) => {
            let sizes: Vec<_> = first.iter().copied().chain([elements / len]).collect();
            format!("did you mean `{sizes:?}`?")
        }
        _ => String::new(),
    }
}

/// One side of a reshape.
struct Side<'a> {
    dims: &'a [usize],
    dim: usize,
    /// The product of the dimensions up to and including the current one.
    entered: usize,
    /// The product of the factors so far.
    made: usize,
}

impl Side<'_> {
    fn is_done(&self) -> bool {
        self.dim == self.dims.len()
    }

    fn enter(&mut self) {
        if self.entered == self.made && !self.is_done() {
            self.entered *= self.dims[self.dim];
        }
    }

    /// The part of the dimension that has no factor yet.
    fn rest(&self) -> usize {
        self.entered / self.made
    }

    fn take(&mut self, factor: usize) {
        self.made *= factor;
    }

    fn leave(&mut self) {
        if self.entered == self.made && !self.is_done() {
            self.dim += 1;
        }
    }

    /// The next factor of the side whose product is smaller: one that makes the products equal, or otherwise one that leaves
    /// `common` for later.
    fn catch_up(&self, ahead: usize, common: usize) -> usize {
        let rest = self.rest();
        if ahead.is_multiple_of(self.made) && rest.is_multiple_of(ahead / self.made) {
            ahead / self.made
        } else if rest > common {
            rest / common
        } else {
            rest
        }
    }
}

/// The same elements in row-major order, with other dimensions. `None` if there are no elements, or if their number differs.
pub fn reshape(dims: &[usize], result: &[usize]) -> Option<OpShardingRule> {
    let count = elements(dims).filter(|&count| count > 0)?;
    if elements(result) != Some(count) {
        return None;
    }
    let kind = FactorKind::PassThrough;
    let mut rule = RuleBuilder::new(&[dims.len()], &[result.len()]);
    let mut from = Side { dims, dim: 0, entered: 1, made: 1 };
    let mut to = Side { dims: result, dim: 0, entered: 1, made: 1 };
    while !from.is_done() || !to.is_done() {
        if from.dims.get(from.dim) == Some(&1) {
            rule.factor(&[Some(from.dim)], &[None], 1, kind);
            from.dim += 1;
            continue;
        }
        if to.dims.get(to.dim) == Some(&1) {
            rule.factor(&[None], &[Some(to.dim)], 1, kind);
            to.dim += 1;
            continue;
        }
        from.enter();
        to.enter();
        let common = gcd(from.rest(), to.rest());
        if from.made == to.made && common > 1 {
            rule.factor(&[Some(from.dim)], &[Some(to.dim)], common, kind);
            from.take(common);
            to.take(common);
        } else if from.made == to.made {
            let (in_factor, out_factor) = (from.rest(), to.rest());
            rule.factor(&[Some(from.dim)], &[None], in_factor, kind);
            rule.factor(&[None], &[Some(to.dim)], out_factor, kind);
            from.take(in_factor);
            to.take(out_factor);
        } else if from.made < to.made {
            let factor = from.catch_up(to.made, common);
            rule.factor(&[Some(from.dim)], &[None], factor, kind);
            from.take(factor);
        } else {
            let factor = to.catch_up(from.made, common);
            rule.factor(&[None], &[Some(to.dim)], factor, kind);
            to.take(factor);
        }
        from.leave();
        to.leave();
    }
    Some(rule.build())
}
