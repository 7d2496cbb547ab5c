//! Linear algebra, and what orders or normalizes.

use super::elements::Elements;
use super::elementwise::{product_type, real_part};
use super::{At, Input, Made, Operand, Result, wrong};
use crate::dtype::DType;
use crate::sharding::propagation::OpKind;
use crate::sharding::registry::{self, DotDims};
use crate::sharding::rule::OpShardingRule;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// An operation with several results, of the type of the first operand if they have none of their own.
fn several(
    rule: OpShardingRule,
    results: Vec<(Vec<usize>, DType)>,
    stablehlo: &'static str,
) -> Result<Made> {
    Ok(Made { kind: OpKind::Other, rule: Some(rule), results, stablehlo })
}

/// `dot(x, w)`
pub(super) fn dot(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    let (lhs, rhs) = (input.operands[0], input.operands[1]);
    for (at, operand) in input.operands.iter().enumerate() {
        if !(1..=2).contains(&operand.dims.len()) {
            let rank = operand.dims.len();
            let message =
                format!("`dot` takes vectors and matrices, found an array of rank {rank}");
            let help = "say what belongs together: `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])`";
            return Err((At::Operand(at), message, help.into()));
        }
    }
    let (left, right) = (lhs.dims[lhs.dims.len() - 1], rhs.dims[0]);
    if left != right {
        let message = format!(
            "the last dimension of the left operand has size {left}, the first of this one has size {right}"
        );
        return wrong(At::Operand(1), message);
    }
    let mut dims = lhs.dims[..lhs.dims.len() - 1].to_vec();
    dims.extend_from_slice(&rhs.dims[1..]);
    let rule = registry::dot(lhs.dims, rhs.dims);
    Ok(Made::one(OpKind::Other, rule, (dims, product_type(input)?), "dot_general"))
}

/// `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])`
pub(super) fn dot_general(input: &Input<'_>) -> Result<Made> {
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
        let sizes = |dims: &[usize], of: Operand<'_>| -> Vec<_> {
            dims.iter().map(|&dim| of.dims[dim]).collect()
        };
        let (left, right) = (sizes(left, lhs), sizes(right, rhs));
        if left != right {
            let message =
                format!("the dimensions of the operands have sizes {left:?} and {right:?}");
            return wrong(At::Named(name.to_string()), message);
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
            return wrong(At::Named(name.to_string()), message);
        }
    }
    let rule = registry::dot_general(lhs.dims, rhs.dims, &dims);
    let result = dims.result(lhs.dims, rhs.dims);
    Ok(Made::one(OpKind::Other, rule, (result, product_type(input)?), "dot_general"))
}

/// The sizes of batches of matrices.
fn matrices<'a>(input: &Input<'a>, at: usize) -> Result<&'a [usize]> {
    let dims = input.operands[at].dims;
    match dims.len() {
        0 | 1 => wrong(At::Operand(at), format!("expected matrices, found {dims:?}")),
        _ => Ok(dims),
    }
}

fn square<'a>(input: &Input<'a>, at: usize) -> Result<&'a [usize]> {
    match matrices(input, at)? {
        [.., rows, columns] if rows != columns => wrong(
            At::Operand(at),
            format!("expected square matrices, found {:?}", input.operands[at].dims),
        ),
        dims => Ok(dims),
    }
}

/// `cholesky(x)`
pub(super) fn cholesky(input: &Input<'_>) -> Result<Made> {
    let dtype = input.operand()?.dtype;
    let dims = square(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    let rule = registry::cholesky(dims);
    Ok(Made::one(OpKind::Other, rule, (dims.to_vec(), dtype), "cholesky"))
}

/// `triangular_solve(a, b, side=LEFT, transpose=NO_TRANSPOSE)`
pub(super) fn triangular_solve(input: &Input<'_>) -> Result<Made> {
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
        return wrong(At::Operand(1), format!("matrices of size {a:?} cannot solve for {b:?}"));
    }
    let rule = registry::triangular_solve(a, b, left, transposed != "NO_TRANSPOSE");
    let result = (b.to_vec(), input.operands[1].dtype);
    Ok(Made::one(OpKind::Other, rule, result, "triangular_solve"))
}

/// `eigh(x)`: vectors and values.
pub(super) fn eigh(input: &Input<'_>) -> Result<Made> {
    let dtype = input.operand()?.dtype;
    let dims = square(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    let values = (dims[..dims.len() - 1].to_vec(), real_part(dtype));
    several(registry::eigh(dims), vec![(dims.to_vec(), dtype), values], "Eigh")
}

/// The size of the vector that goes with matrices: batches of the shorter side.
fn shorter(dims: &[usize]) -> Vec<usize> {
    let (batch, sides) = dims.split_at(dims.len() - 2);
    let mut vector = batch.to_vec();
    vector.push(sides[0].min(sides[1]));
    vector
}

/// `qr(x)`: reflectors and their vector.
pub(super) fn qr(input: &Input<'_>) -> Result<Made> {
    let dtype = input.operand()?.dtype;
    let dims = matrices(input, 0)?;
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    several(registry::qr(dims), vec![(dims.to_vec(), dtype), (shorter(dims), dtype)], "Qr")
}

/// `householder_product(a, taus)`
pub(super) fn householder_product(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    let dims = matrices(input, 0)?;
    let (expected, found) = (shorter(dims), input.operands[1].dims);
    if found != expected {
        return wrong(
            At::Operand(1),
            format!("expected an array of size {expected:?}, found {found:?}"),
        );
    }
    input.elements(0, Elements::FLOAT_OR_COMPLEX)?;
    input.all_same_elements()?;
    let result = (dims.to_vec(), input.operands[0].dtype);
    let rule = registry::householder_product(dims);
    Ok(Made::one(OpKind::Other, rule, result, "ProductOfElementaryHouseholderReflectors"))
}

/// The size of what is kept: the largest `k` along the last dimension, or a size that is smaller along another.
fn kept(dims: &[usize], input: &Input<'_>) -> Result<Vec<usize>> {
    if !input.attributes.lists.is_empty() {
        let result = input.list(0, "the size of the result")?;
        if result.len() != dims.len() || result.iter().zip(dims).any(|(new, old)| new > old) {
            return wrong(At::List(0), format!("{result:?} is no part of {dims:?}"));
        }
        return Ok(result.to_vec());
    }
    let (Some(k), Some((last, batch))) = (input.count(), dims.split_last()) else {
        return wrong(At::Call, "expected how many are kept: `top_k(x, 8)`");
    };
    if k > *last {
        return wrong(
            At::Call,
            format!("there are not {k} elements along a dimension of size {last}"),
        );
    }
    let mut result = batch.to_vec();
    result.push(k);
    Ok(result)
}

/// `top_k(x, 8)`: values and indices.
pub(super) fn top_k(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    input.elements(0, Elements::REAL)?;
    let result = kept(x.dims, input)?;
    let rule = registry::top_k(x.dims, &result);
    several(rule, vec![(result.clone(), x.dtype), (result, DType::S32)], "mhlo.topk")
}

/// `approx_top_k(x, indices, 8)`: values and indices.
pub(super) fn approx_top_k(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    input.same(0, &[])?;
    let (x, indices) = (input.operands[0], input.operands[1]);
    input.elements(0, Elements::REAL)?;
    input.elements(1, Elements::INTEGER)?;
    let result = kept(x.dims, input)?;
    // The scalars to start from are not written.
    let mut rule = registry::approx_top_k(x.dims, &result);
    rule.operands.truncate(2);
    several(rule, vec![(result.clone(), x.dtype), (result, indices.dtype)], "ApproxTopK")
}

/// `batch_norm_inference(x, scale, offset, mean, variance, 3)`
pub(super) fn batch_norm_inference(input: &Input<'_>) -> Result<Made> {
    input.arity(5)?;
    let x = input.operands[0];
    input.elements(0, Elements::FLOAT)?;
    input.all_same_elements()?;
    let feature = input.dim(x.dims.len(), "of the features")?;
    let expected = [x.dims[feature]];
    for (at, operand) in input.operands.iter().enumerate().skip(1) {
        if operand.dims != expected {
            let message =
                format!("expected an array of size {expected:?}, found {:?}", operand.dims);
            return wrong(At::Operand(at), message);
        }
    }
    let rule = registry::batch_norm_inference(x.dims, feature);
    Ok(Made::one(OpKind::Other, rule, (x.dims.to_vec(), x.dtype), "batch_norm_inference"))
}
