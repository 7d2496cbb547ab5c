//! Reshapes: the same elements, row-major, with other dimensions.

use super::error::{Result, Subject, wrong_with_help};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, plain};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::constant::contains;
use crate::sharding::propagation::{OpKind, gcd};
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[Operation {
    names: &["reshape"],
    call: "reshape(x, [2, 32])",
    kind: OpKind::Reshape,
    infer: Infer::By(infer_reshape),
    sums: PartialSums::Of(&[0]),
    mlir: Mlir::StableHlo("reshape", plain),
    kernel: KernelTypes::All,
    on_shards: true,
    ..Operation::DEFAULT
}];

/// The number of elements; `None` if it does not fit a `usize`.
const fn elements(dims: &[usize]) -> Option<usize> {
    if contains(dims, 0) {
        return Some(0);
    }
    let (mut count, mut dim) = (1_usize, 0);
    while dim < dims.len() {
        match count.checked_mul(dims[dim]) {
            Some(product) => count = product,
            None => return None,
        }
        dim += 1;
    }
    Some(count)
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
    const fn is_done(&self) -> bool {
        self.dim == self.dims.len()
    }

    const fn enter(&mut self) {
        if self.entered == self.made && !self.is_done() {
            self.entered *= self.dims[self.dim];
        }
    }

    /// The part of the dimension that has no factor yet.
    const fn rest(&self) -> usize {
        self.entered / self.made
    }

    const fn take(&mut self, factor: usize) {
        self.made *= factor;
    }

    const fn leave(&mut self) {
        if self.entered == self.made && !self.is_done() {
            self.dim += 1;
        }
    }

    /// The next factor of the side whose product is smaller: one that makes the products equal, or otherwise one that leaves
    /// `common` for later.
    const fn catch_up(&self, ahead: usize, common: usize) -> usize {
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

/// The rule of a reshape: the same elements in row-major order, with other dimensions. `None` if there are no elements, or if their
/// number differs.
///
/// ```
/// use tensor_layout::sharding::ops::reshape;
/// let rule = reshape(&[8, 4], &[2, 16]).unwrap();
/// assert_eq!(rule.to_string(), "<([ij, k])->([i, jk]) {i=2, j=4, k=4}>");
/// ```
pub fn reshape(dims: &[usize], result: &[usize]) -> Option<OpShardingRule> {
    let mut factors = ReshapeFactors::new(dims, result)?;
    let operands = [(dims.len(), Some(0))];
    Some(OpShardingRule::of_factors(&operands, &[result.len()], |_| factors.next()))
}

/// Factor `at` of the rule of [`reshape`]; `None` also if there is no such rule.
pub(in crate::sharding) const fn reshape_factor(
    dims: &[usize],
    result: &[usize],
    at: usize,
) -> Option<RuleFactor> {
    let Some(mut factors) = ReshapeFactors::new(dims, result) else { return None };
    let mut before = 0;
    while before < at {
        if factors.next().is_none() {
            return None;
        }
        before += 1;
    }
    factors.next()
}

/// Computes the factors of a reshape one after the other, major to minor.
struct ReshapeFactors<'a> {
    from: Side<'a>,
    to: Side<'a>,
    /// The factor of the result that follows a factor of only the operand.
    pending: Option<RuleFactor>,
}

impl<'a> ReshapeFactors<'a> {
    const fn new(dims: &'a [usize], result: &'a [usize]) -> Option<Self> {
        match (elements(dims), elements(result)) {
            (Some(count), Some(other)) if count == other && count > 0 => {}
            _ => return None,
        }
        let from = Side { dims, dim: 0, entered: 1, made: 1 };
        let to = Side { dims: result, dim: 0, entered: 1, made: 1 };
        Some(Self { from, to, pending: None })
    }

    const fn next(&mut self) -> Option<RuleFactor> {
        if let Some(pending) = self.pending.take() {
            return Some(pending);
        }
        let (from, to) = (&mut self.from, &mut self.to);
        if from.is_done() && to.is_done() {
            return None;
        }
        if !from.is_done() && from.dims[from.dim] == 1 {
            from.dim += 1;
            return Some(of_operand(from.dim - 1, 1));
        }
        if !to.is_done() && to.dims[to.dim] == 1 {
            to.dim += 1;
            return Some(of_result(to.dim - 1, 1));
        }
        from.enter();
        to.enter();
        let common = gcd(from.rest(), to.rest());
        let factor = if from.made == to.made && common > 1 {
            from.take(common);
            to.take(common);
            let kind = FactorKind::PassThrough;
            RuleFactor::new([Some(from.dim), None], Some(to.dim), common, kind)
        } else if from.made == to.made {
            let (in_factor, out_factor) = (from.rest(), to.rest());
            from.take(in_factor);
            to.take(out_factor);
            self.pending = Some(of_result(to.dim, out_factor));
            of_operand(from.dim, in_factor)
        } else if from.made < to.made {
            let factor = from.catch_up(to.made, common);
            from.take(factor);
            of_operand(from.dim, factor)
        } else {
            let factor = to.catch_up(from.made, common);
            to.take(factor);
            of_result(to.dim, factor)
        };
        from.leave();
        to.leave();
        Some(factor)
    }
}

/// A factor of only the operand.
const fn of_operand(dim: usize, size: usize) -> RuleFactor {
    RuleFactor::new([Some(dim), None], None, size, FactorKind::PassThrough)
}

/// A factor of only the result.
const fn of_result(dim: usize, size: usize) -> RuleFactor {
    RuleFactor::new([None, None], Some(dim), size, FactorKind::PassThrough)
}
