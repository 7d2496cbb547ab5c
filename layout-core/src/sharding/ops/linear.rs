//! Linear algebra on batches of matrices.

use super::elements::Elements;
use super::elementwise::{pointwise, real_part};
use super::error::{Result, Subject, wrong};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["cholesky"],
        call: "cholesky(x)",
        infer: Infer::By(infer_cholesky),
        mlir: Mlir::StableHlo("cholesky", |_| OpText::properties("lower = true")),
        kernel: KernelTypes::Numbers,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["eigh"],
        call: "eigh(x)",
        infer: Infer::By(infer_eigh),
        ..Operation::DEFAULT
    },
    Operation {
        names: &["householder_product"],
        call: "householder_product(a, taus)",
        infer: Infer::By(infer_householder_product),
        ..Operation::DEFAULT
    },
    Operation { names: &["qr"], call: "qr(x)", infer: Infer::By(infer_qr), ..Operation::DEFAULT },
    Operation {
        names: &["triangular_solve"],
        call: "triangular_solve(a, b, side=LEFT)",
        attributes: &["side", "transpose"],
        infer: Infer::By(infer_triangular_solve),
        sums: PartialSums::Linear(&[1]),
        mlir: Mlir::StableHlo("triangular_solve", |call| {
            let left = call.attributes.word("side", "LEFT") == "LEFT";
            let transpose = call.attributes.word("transpose", "NO_TRANSPOSE");
            OpText::properties(format!(
                "left_side = {left}, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose {transpose}>"
            ))
        }),
        kernel: KernelTypes::Numbers,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// The sizes of operand `at`, which must be batches of matrices.
fn matrices<'a>(input: &Input<'a>, at: usize) -> Result<&'a [usize]> {
    let dims = input.operands[at].dims;
    match dims.len() {
        0 | 1 => wrong(Subject::Operand(at), format!("expected matrices, found {dims:?}")),
        _ => Ok(dims),
    }
}

/// The sizes of operand `at`, which must be batches of square matrices.
fn square<'a>(input: &Input<'a>, at: usize) -> Result<&'a [usize]> {
    match matrices(input, at)? {
        dims @ [.., rows, columns] if rows != columns => {
            wrong(Subject::Operand(at), format!("expected square matrices, found {dims:?}"))
        }
        dims => Ok(dims),
    }
}

/// `cholesky(x)`
fn infer_cholesky(input: &Input<'_>) -> Result<Inferred> {
    let dtype = input.operand()?.dtype;
    let dims = square(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    Ok(Inferred::one(cholesky(dims), dims.to_vec(), dtype))
}

/// The rule of the Cholesky decomposition of batches of matrices. Each matrix must be whole on a device.
///
/// ```
/// use tensor_layout::sharding::ops::cholesky;
/// let rule = cholesky(&[8, 4, 4]);
/// assert_eq!(rule.to_string(), "<([i, j, k])->([i, j, k]) {i=8, j=4, k=4} need_replication={j, k}>");
/// ```
pub fn cholesky(dims: &[usize]) -> OpShardingRule {
    let batch = dims.len() - 2;
    pointwise(1, 1, dims, |dim| (if dim < batch { PassThrough } else { NeedReplication }, false))
}

/// `triangular_solve(a, b, side=LEFT, transpose=NO_TRANSPOSE)`
fn infer_triangular_solve(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let (a, b) = (square(input, 0)?, matrices(input, 1)?);
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    input.all_same_elements()?;
    let left = input.word("side", &["LEFT", "RIGHT"])? == "LEFT";
    let transposed = input.word("transpose", &["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])?;
    let batch = a.len() - 2;
    let fits = b.len() == a.len()
        && a[..batch] == b[..batch]
        && a[batch] == b[if left { batch } else { batch + 1 }];
    if !fits {
        let message = format!("matrices of size {a:?} cannot solve for {b:?}");
        return wrong(Subject::Operand(1), message);
    }
    let rule = triangular_solve(a, b, left, transposed != "NO_TRANSPOSE");
    Ok(Inferred::one(rule, b.to_vec(), input.operands[1].dtype))
}

/// The rule of solving `a x = b`, or `x a = b` unless `left`, for batches of triangular matrices `a`, which are used transposed
/// if `transposed`.
///
/// ```
/// use tensor_layout::sharding::ops::triangular_solve;
/// let rule = triangular_solve(&[8, 4, 4], &[8, 4, 2], true, false);
/// assert_eq!(rule.to_string(), "<([i, j, l], [i, j, k])->([i, l, k]) {i=8, j=4, k=2, l=4} need_replication={j, k, l}>");
/// ```
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

/// `eigh(x)`: eigenvectors and eigenvalues.
fn infer_eigh(input: &Input<'_>) -> Result<Inferred> {
    let dtype = input.operand()?.dtype;
    let dims = square(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    let values = (dims[..dims.len() - 1].to_vec(), real_part(dtype));
    Ok(Inferred::several(eigh(dims), vec![(dims.to_vec(), dtype), values]))
}

/// The rule of the eigenvectors and eigenvalues of batches of Hermitian matrices.
///
/// ```
/// use tensor_layout::sharding::ops::eigh;
/// let rule = eigh(&[8, 4, 4]);
/// assert_eq!(rule.to_string(), "<([i, j, k])->([i, j, k], [i, k]) {i=8, j=4, k=4}>");
/// ```
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

/// The size of a batch of vectors with one vector for each matrix, as long as its shorter side.
fn vectors(dims: &[usize]) -> Vec<usize> {
    let (batch, sides) = dims.split_at(dims.len() - 2);
    let mut vectors = batch.to_vec();
    vectors.push(sides[0].min(sides[1]));
    vectors
}

/// `qr(x)`: the reflectors, and a vector for each matrix.
fn infer_qr(input: &Input<'_>) -> Result<Inferred> {
    let dtype = input.operand()?.dtype;
    let dims = matrices(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    let vectors = vectors(dims);
    let rule = qr(dims, vectors[dims.len() - 2]);
    Ok(Inferred::several(rule, vec![(dims.to_vec(), dtype), (vectors, dtype)]))
}

/// The rule of the QR decomposition of batches of matrices. Its results are the reflectors, and a vector of `count` elements for
/// each matrix: one for each reflector.
///
/// ```
/// use tensor_layout::sharding::ops::qr;
/// let rule = qr(&[8, 4, 2], 2);
/// assert_eq!(rule.to_string(), "<([i, j, k])->([i, j, k], [i, l]) {i=8, j=4, k=2, l=2} need_replication={j, k, l}>");
/// ```
pub fn qr(dims: &[usize], count: usize) -> OpShardingRule {
    decomposition(dims, count, &[dims.len()], &[dims.len(), dims.len() - 1])
}

/// `householder_product(a, taus)`
fn infer_householder_product(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let dims = matrices(input, 0)?;
    input.size(1, &vectors(dims))?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    input.all_same_elements()?;
    let rule = householder_product(dims, input.operands[1].dims[dims.len() - 2]);
    Ok(Inferred::one(rule, dims.to_vec(), input.operands[0].dtype))
}

/// The rule of the product of the first `count` reflectors of a QR decomposition, from the reflectors and a vector of `count`
/// elements for each matrix.
///
/// ```
/// use tensor_layout::sharding::ops::householder_product;
/// let rule = householder_product(&[8, 4, 2], 2);
/// assert_eq!(rule.to_string(), "<([i, j, k], [i, l])->([i, j, k]) {i=8, j=4, k=2, l=2} need_replication={j, k, l}>");
/// ```
pub fn householder_product(dims: &[usize], count: usize) -> OpShardingRule {
    decomposition(dims, count, &[dims.len(), dims.len() - 1], &[dims.len()])
}

/// Matrices as an operand and a result and, on one side, a vector of `count` elements for each matrix.
fn decomposition(
    dims: &[usize],
    count: usize,
    operands: &[usize],
    results: &[usize],
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(operands, results);
    let batch = dims.len() - 2;
    for (dim, &size) in dims[..batch].iter().enumerate() {
        rule.shared(dim, size, PassThrough, false);
    }
    for (dim, &size) in dims.iter().enumerate().skip(batch) {
        rule.of(&[(0, dim)], &[(0, dim)], size, NeedReplication, false);
    }
    let vector = [(1, batch)];
    let (operand, result): (&[_], &[_]) =
        if operands.len() == 2 { (&vector, &[]) } else { (&[], &vector) };
    rule.of(operand, result, count, NeedReplication, false);
    rule.build()
}
