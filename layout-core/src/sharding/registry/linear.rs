use super::elementwise::pointwise;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough, Reduction};
use alloc::vec;
use alloc::vec::Vec;

/// Which dimensions of two tensors a `dot_general` multiplies.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DotDims {
    /// Batch dimensions of the left operand.
    pub lhs_batch: Vec<usize>,
    /// The same of the right.
    pub rhs_batch: Vec<usize>,
    /// Dimensions of the left operand that are summed over.
    pub lhs_contracting: Vec<usize>,
    /// The same of the right.
    pub rhs_contracting: Vec<usize>,
}

impl DotDims {
    /// The size of the result: batch dimensions, then the free ones of the left operand, then those of the right.
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

/// A product of tensors.
pub fn dot_general(lhs: &[usize], rhs: &[usize], dims: &DotDims) -> OpShardingRule {
    let rank = dims.result(lhs, rhs).len();
    let mut rule = RuleBuilder::new(&[lhs.len(), rhs.len()], &[rank]);
    let mut result = 0..rank;
    for (&left, &right) in dims.lhs_batch.iter().zip(&dims.rhs_batch) {
        rule.factor(&[Some(left), Some(right)], &[result.next()], lhs[left], PassThrough);
    }
    for dim in free(lhs.len(), &dims.lhs_batch, &dims.lhs_contracting) {
        rule.factor(&[Some(dim), None], &[result.next()], lhs[dim], PassThrough);
    }
    for dim in free(rhs.len(), &dims.rhs_batch, &dims.rhs_contracting) {
        rule.factor(&[None, Some(dim)], &[result.next()], rhs[dim], PassThrough);
    }
    for (&left, &right) in dims.lhs_contracting.iter().zip(&dims.rhs_contracting) {
        rule.factor(&[Some(left), Some(right)], &[None], lhs[left], Reduction);
    }
    rule.build()
}

/// A product of vectors and matrices: the last dimension of the left with the first of the right.
pub fn dot(lhs: &[usize], rhs: &[usize]) -> OpShardingRule {
    let dims = DotDims {
        lhs_contracting: vec![lhs.len() - 1],
        rhs_contracting: vec![0],
        ..DotDims::default()
    };
    dot_general(lhs, rhs, &dims)
}

/// `inputs` tensors of one size, each with a scalar to start from, reduced over dimensions.
pub fn reduce(inputs: usize, dims: &[usize], reduced: &[usize]) -> OpShardingRule {
    let kept = (0..dims.len()).filter(|dim| !reduced.contains(dim)).count();
    let mut ranks = vec![dims.len(); inputs];
    ranks.resize(2 * inputs, 0);
    let mut rule = RuleBuilder::new(&ranks, &vec![kept; inputs]);
    let mut result = 0;
    for (dim, &size) in dims.iter().enumerate() {
        let mut operands = vec![Some(dim); inputs];
        operands.resize(2 * inputs, None);
        if reduced.contains(&dim) {
            rule.factor(&operands, &vec![None; inputs], size, Reduction);
        } else {
            rule.factor(&operands, &vec![Some(result); inputs], size, PassThrough);
            result += 1;
        }
    }
    rule.build()
}

/// Batches of matrices, of which all must be at hand.
pub fn cholesky(dims: &[usize]) -> OpShardingRule {
    let batch = dims.len() - 2;
    pointwise(1, 1, dims, |dim| (if dim < batch { PassThrough } else { NeedReplication }, false))
}

/// `a x = b`, or `x a = b` unless `left`, for batches of matrices.
pub fn triangular_solve(a: &[usize], b: &[usize], left: bool, transposed: bool) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[a.len(), b.len()], &[b.len()]);
    let (row, column) = (a.len() - 2, a.len() - 1);
    for (dim, &size) in a[..row].iter().enumerate() {
        rule.shared(dim, size, PassThrough, false);
    }
    let (free, contracting) = if left != transposed { (row, column) } else { (column, row) };
    let kind = NeedReplication;
    if left {
        rule.factor(&[Some(free), Some(row)], &[None], a[free], kind);
        rule.factor(&[None, Some(column)], &[Some(column)], b[column], kind);
        rule.factor(&[Some(contracting), None], &[Some(row)], a[contracting], kind);
    } else {
        rule.factor(&[None, Some(row)], &[Some(row)], b[row], kind);
        rule.factor(&[Some(free), Some(column)], &[None], a[free], kind);
        rule.factor(&[Some(contracting), None], &[Some(column)], a[contracting], kind);
    }
    rule.build()
}

/// Eigenvectors and eigenvalues of batches of matrices.
pub fn eigh(dims: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len()], &[dims.len(), dims.len() - 1]);
    let (row, column) = (dims.len() - 2, dims.len() - 1);
    for (dim, &size) in dims.iter().enumerate() {
        let values = match dim {
            _ if dim == row => None,
            _ if dim == column => Some(row),
            _ => Some(dim),
        };
        rule.factor(&[Some(dim)], &[Some(dim), values], size, PassThrough);
    }
    rule.build()
}

/// The QR decomposition of batches of matrices: the reflectors, and a vector that goes with each.
pub fn qr(dims: &[usize]) -> OpShardingRule {
    decomposition(dims, &[dims.len()], &[dims.len(), dims.len() - 1])
}

/// The product of the reflectors of a QR decomposition, from the reflectors and their vector.
pub fn householder_product(dims: &[usize]) -> OpShardingRule {
    decomposition(dims, &[dims.len(), dims.len() - 1], &[dims.len()])
}

/// Matrices in and out, and on one side a vector for each, whose own dimension is the shorter side of the matrix.
fn decomposition(dims: &[usize], operands: &[usize], results: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(operands, results);
    let batch = dims.len() - 2;
    for (dim, &size) in dims[..batch].iter().enumerate() {
        rule.shared(dim, size, PassThrough, false);
    }
    for (dim, &size) in dims.iter().enumerate().skip(batch) {
        rule.of(&[(0, dim)], &[(0, dim)], size, NeedReplication, false);
    }
    let shorter = dims[batch].min(dims[batch + 1]);
    let vector = [(1, batch)];
    let (operand, result): (&[_], &[_]) =
        if operands.len() == 2 { (&vector, &[]) } else { (&[], &vector) };
    rule.of(operand, result, shorter, NeedReplication, false);
    rule.build()
}

/// The largest values and their indices, along the dimension whose size changes.
pub fn top_k(dims: &[usize], result: &[usize]) -> OpShardingRule {
    pointwise(1, 2, dims, |dim| match dims[dim] == result[dim] {
        true => (PassThrough, false),
        false => (NeedReplication, true),
    })
}

/// `ApproxTopK` and `PartialReduce`: values and indices, each with a scalar to start from.
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
