//! Products of tensors.

use super::elementwise::product_type;
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText, list};
use super::operation::{Infer, Inferred, Operation, TensorType};
use super::sums::PartialSums;
use crate::sharding::constant::contains;
use crate::sharding::rule::RuleFactor;
use crate::sharding::{FactorKind, OpShardingRule};
use FactorKind::{PassThrough, Reduction};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["dot"],
        call: "dot(x, y)",
        attributes: &["type"],
        infer: Infer::By(infer_dot),
        sums: PartialSums::Any,
        mlir: Mlir::StableHlo("dot_general", |call| {
            let last = call.operands[0].dims.len() - 1;
            let dims =
                format!("lhs_contracting_dimensions = [{last}], rhs_contracting_dimensions = [0]");
            OpText::properties(format!("dot_dimension_numbers = #stablehlo.dot<{dims}>"))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["dot_general"],
        call: "dot_general(x, y, lhs_contracting=[1], rhs_contracting=[0])",
        attributes: &["lhs_batch", "rhs_batch", "lhs_contracting", "rhs_contracting", "type"],
        infer: Infer::By(infer_dot_general),
        sums: PartialSums::Any,
        mlir: Mlir::StableHlo("dot_general", |call| {
            let dims = [
                ("lhs_batching_dimensions", "lhs_batch"),
                ("rhs_batching_dimensions", "rhs_batch"),
                ("lhs_contracting_dimensions", "lhs_contracting"),
                ("rhs_contracting_dimensions", "rhs_contracting"),
            ];
            let dims = dims.map(|(stablehlo, name)| {
                format!("{stablehlo} = [{}]", list(call.attributes.named_numbers(name)))
            });
            let dims = dims.join(", ");
            OpText::properties(format!("dot_dimension_numbers = #stablehlo.dot<{dims}>"))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// The dimensions of two tensors that a `dot_general` multiplies.
///
/// ```
/// use tensor_layout::sharding::ops::DotDims;
/// // Queries and keys, `[batch, q, d]` and `[batch, k, d]`.
/// let dims = DotDims {
///     lhs_batch: vec![0],
///     rhs_batch: vec![0],
///     lhs_contracting: vec![2],
///     rhs_contracting: vec![2],
/// };
/// assert_eq!(dims.numbers().lhs_contracting, [2]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DotDims {
    /// The batch dimensions of the left operand.
    pub lhs_batch: Vec<usize>,
    /// The batch dimensions of the right operand.
    pub rhs_batch: Vec<usize>,
    /// The dimensions of the left operand that are summed over.
    pub lhs_contracting: Vec<usize>,
    /// The dimensions of the right operand that are summed over.
    pub rhs_contracting: Vec<usize>,
}

impl DotDims {
    /// The same lists, borrowed.
    pub fn numbers(&self) -> DotNumbers<'_> {
        DotNumbers {
            lhs_batch: &self.lhs_batch,
            rhs_batch: &self.rhs_batch,
            lhs_contracting: &self.lhs_contracting,
            rhs_contracting: &self.rhs_contracting,
        }
    }

    /// The size of the result: batch dimensions, then the free dimensions of the left operand, then those of the right.
    pub fn result(&self, lhs: &[usize], rhs: &[usize]) -> Vec<usize> {
        let batch = self.lhs_batch.iter().map(|&dim| lhs[dim]);
        let left = free(lhs.len(), &self.lhs_batch, &self.lhs_contracting).map(|dim| lhs[dim]);
        let right = free(rhs.len(), &self.rhs_batch, &self.rhs_contracting).map(|dim| rhs[dim]);
        batch.chain(left).chain(right).collect()
    }
}

fn free(rank: usize, batch: &[usize], contracting: &[usize]) -> impl Iterator<Item = usize> {
    (0..rank).filter(|dim| !batch.contains(dim) && !contracting.contains(dim))
}

/// `dot(x, w)`
fn infer_dot(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let [lhs, rhs] = [0, 1].map(|at| input.operands[at].dims);
    for (at, operand) in input.operands.iter().enumerate() {
        if !(1..=2).contains(&operand.dims.len()) {
            let rank = operand.dims.len();
            let message =
                format!("`dot` takes vectors and matrices, found an array of rank {rank}");
            let help = "name the dimensions that belong together: `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])`";
            return wrong_with_help(Subject::Operand(at), message, help);
        }
    }
    let (left, right) = (lhs[lhs.len() - 1], rhs[0]);
    if left != right {
        let message = format!(
            "the last dimension of the left operand has size {left}, the first of this one has size {right}"
        );
        let help = "`dot` sums over these two; `dot_general` sums over dimensions of your choice: `dot_general(x, y, lhs_contracting=[1], rhs_contracting=[1])`";
        return wrong_with_help(Subject::Operand(1), message, help);
    }
    let result = [&lhs[..lhs.len() - 1], &rhs[1..]].concat();
    Ok(Inferred::one(dot(lhs, rhs), result, product_type(input)?))
}

/// The rule of a product of vectors and matrices, over the last dimension of the left operand and the first of the right.
///
/// ```
/// use tensor_layout::sharding::ops::dot;
/// let rule = dot(&[64, 32], &[32, 16]);
/// assert_eq!(rule.to_string(), "<([i, k], [k, j])->([i, j]) {i=64, j=16, k=32} reduction={k}>");
/// ```
pub fn dot(lhs: &[usize], rhs: &[usize]) -> OpShardingRule {
    let dims = DotDims {
        lhs_contracting: vec![lhs.len() - 1],
        rhs_contracting: vec![0],
        ..DotDims::default()
    };
    dot_general(lhs, rhs, &dims)
}

/// `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])`
fn infer_dot_general(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let (lhs, rhs) = (input.operands[0], input.operands[1]);
    let dims = |name: &str, rank| input.named_dims(name, rank).map(<[usize]>::to_vec);
    let dims = DotDims {
        lhs_batch: dims("lhs_batch", lhs.dims.len())?,
        rhs_batch: dims("rhs_batch", rhs.dims.len())?,
        lhs_contracting: dims("lhs_contracting", lhs.dims.len())?,
        rhs_contracting: dims("rhs_contracting", rhs.dims.len())?,
    };
    for (name, left, right) in [
        ("rhs_batch", &dims.lhs_batch, &dims.rhs_batch),
        ("rhs_contracting", &dims.lhs_contracting, &dims.rhs_contracting),
    ] {
        let sizes = |dims: &[usize], of: TensorType<'_>| -> Vec<_> {
            dims.iter().map(|&dim| of.dims[dim]).collect()
        };
        let (left, right) = (sizes(left, lhs), sizes(right, rhs));
        if left != right {
            let message =
                format!("the dimensions of the operands have sizes {left:?} and {right:?}");
            let help = format!(
                "the operands have sizes {:?} and {:?}: number dimensions of the same sizes, from 0",
                lhs.dims, rhs.dims
            );
            return wrong_with_help(Subject::Attribute(name.to_string()), message, help);
        }
    }
    let twice = |batch: &[usize], contracting: &[usize]| {
        batch.iter().copied().find(|dim| contracting.contains(dim))
    };
    for (name, dim) in [
        ("lhs_contracting", twice(&dims.lhs_batch, &dims.lhs_contracting)),
        ("rhs_contracting", twice(&dims.rhs_batch, &dims.rhs_contracting)),
    ] {
        if let Some(dim) = dim {
            let message = format!("dimension {dim} is a batch dimension");
            return wrong(Subject::Attribute(name.to_string()), message);
        }
    }
    let rule = dot_general(lhs.dims, rhs.dims, &dims);
    Ok(Inferred::one(rule, dims.result(lhs.dims, rhs.dims), product_type(input)?))
}

/// The rule of a product of tensors that sums over any of their dimensions.
///
/// ```
/// use tensor_layout::sharding::ops::{DotDims, dot_general};
/// let rows_by_rows = DotDims { lhs_contracting: vec![1], rhs_contracting: vec![1], ..DotDims::default() };
/// let rule = dot_general(&[64, 32], &[16, 32], &rows_by_rows);
/// assert_eq!(rule.to_string(), "<([i, k], [j, k])->([i, j]) {i=64, j=16, k=32} reduction={k}>");
/// ```
pub fn dot_general(lhs: &[usize], rhs: &[usize], dims: &DotDims) -> OpShardingRule {
    let rank = dims.result(lhs, rhs).len();
    let operands = [(lhs.len(), Some(0)), (rhs.len(), Some(1))];
    OpShardingRule::of_factors(&operands, &[rank], |at| dims.numbers().factor(lhs, rhs, at))
}

/// [`DotDims`] with borrowed lists, for const evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DotNumbers<'a> {
    /// The batch dimensions of the left operand.
    pub lhs_batch: &'a [usize],
    /// The dimensions of the right operand that correspond to these, in the same order.
    pub rhs_batch: &'a [usize],
    /// The dimensions of the left operand that are summed over.
    pub lhs_contracting: &'a [usize],
    /// The dimensions of the right operand that correspond to these, in the same order.
    pub rhs_contracting: &'a [usize],
}

impl DotNumbers<'_> {
    /// Factor `at` of the rule: batch dimensions, the other dimensions of the left and of the right operand, in the order of
    /// the result, then those that are summed over.
    pub(in crate::sharding) const fn factor(
        &self,
        lhs: &[usize],
        rhs: &[usize],
        at: usize,
    ) -> Option<RuleFactor> {
        let batch = self.lhs_batch.len();
        if at < batch {
            let dims = [Some(self.lhs_batch[at]), Some(self.rhs_batch[at])];
            return Some(RuleFactor::new(dims, Some(at), lhs[self.lhs_batch[at]], PassThrough));
        }
        let of_left = nth_free(lhs.len(), self.lhs_batch, self.lhs_contracting, at - batch);
        let left = match of_left {
            Ok(dim) => {
                let dims = [Some(dim), None];
                return Some(RuleFactor::new(dims, Some(at), lhs[dim], PassThrough));
            }
            Err(left) => left,
        };
        let past = at - batch - left;
        let right = match nth_free(rhs.len(), self.rhs_batch, self.rhs_contracting, past) {
            Ok(dim) => {
                let dims = [None, Some(dim)];
                return Some(RuleFactor::new(dims, Some(at), rhs[dim], PassThrough));
            }
            Err(right) => right,
        };
        let past = past - right;
        if past >= self.lhs_contracting.len() {
            return None;
        }
        let dims = [Some(self.lhs_contracting[past]), Some(self.rhs_contracting[past])];
        Some(RuleFactor::new(dims, None, lhs[self.lhs_contracting[past]], Reduction))
    }
}

/// The dimension with number `nth` among those that are in neither list. If there are not that many, their number is the error.
const fn nth_free(
    rank: usize,
    batch: &[usize],
    contracting: &[usize],
    nth: usize,
) -> core::result::Result<usize, usize> {
    let (mut dim, mut found) = (0, 0);
    while dim < rank {
        if !contains(batch, dim) && !contains(contracting, dim) {
            if found == nth {
                return Ok(dim);
            }
            found += 1;
        }
        dim += 1;
    }
    Err(found)
}
