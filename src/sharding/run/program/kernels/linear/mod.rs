//! Linear algebra on batches of matrices, which is computed in double precision and rounded once.

mod decompose;
mod eigen;
mod lapack;
mod matrix;
#[cfg(test)]
mod tests;

use super::super::numbers::Numbers;
use super::{Failed, HostArray, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
pub(super) use lapack::custom_call;
use layout_core::dtype::DType;
use matrix::{Matrix, System, Triangle};

/// Operand `at`. The types of functions of LAPACK are not checked before they run.
fn operand<'a>(call: &'a LocalCall<'_>, at: usize) -> Result<&'a HostArray, Failed> {
    let operand = call.operands.get(at).map(|operand| &operand.array);
    operand.ok_or_else(|| Failed::Not("an operand is missing".to_string()))
}

/// The matrices of a batch, all of which are square.
fn squares(array: &HostArray) -> Result<Vec<Matrix>, Failed> {
    match array.dims() {
        [.., rows, columns] if rows == columns => matrices(array),
        _ => Err(Failed::Not("its operand is not a batch of square matrices".to_string())),
    }
}

/// The matrices of a batch, in row-major order.
fn matrices(array: &HostArray) -> Result<Vec<Matrix>, Failed> {
    let [.., rows, columns] = *array.dims() else {
        return Err(Failed::Not("its operand is not a batch of matrices".to_string()));
    };
    let count: usize = array.dims()[..array.dims().len() - 2].iter().product();
    let values = floats(array)?;
    let matrix = |at: usize| {
        let values = values[at * rows * columns..][..rows * columns].to_vec();
        Matrix { rows, columns, values }
    };
    Ok((0..count).map(matrix).collect())
}

/// The elements of an array of floating-point numbers.
fn floats(array: &HostArray) -> Result<Vec<f64>, Failed> {
    match Numbers::of(array).doubled() {
        Numbers::Double(values) => Ok(values),
        _ => Err(Failed::Not("its elements are not floating-point numbers".to_string())),
    }
}

/// Stores result `at`, whose `values` are the numbers of one matrix of the batch after those of another.
fn stored(call: &LocalCall<'_>, at: usize, values: Vec<f64>) -> Result<HostArray, Failed> {
    let wrong = || Failed::Not("its results do not have the sizes of its operands".to_string());
    let result = call.results.get(at).ok_or_else(wrong)?;
    if values.len() != result.local_dims().iter().product::<usize>() {
        return Err(wrong());
    }
    Ok(Numbers::Double(values).store(result.dtype, result.local_dims())?)
}

fn flat(matrices: Vec<Matrix>) -> Vec<f64> {
    matrices.into_iter().flat_map(|matrix| matrix.values).collect()
}

/// `cholesky(x)`: the triangular factors of positive definite matrices, with zeros on the other side of the diagonal. The
/// factor of any other matrix is NaN.
pub(super) fn cholesky(call: &LocalCall<'_>) -> Made {
    let triangle = Triangle::of(call.attributes.word("uplo", "L"));
    let mut made = squares(operand(call, 0)?)?;
    for matrix in &mut made {
        if matrix.cholesky(triangle) != 0 {
            matrix.values.fill(f64::NAN);
        }
        matrix.clear_outside(triangle);
    }
    Ok(vec![stored(call, 0, flat(made))?])
}

/// `triangular_solve(a, b, side=LEFT, transpose=NO_TRANSPOSE)`
pub(super) fn triangular_solve(call: &LocalCall<'_>) -> Made {
    let system = System {
        triangle: Triangle::of(call.attributes.word("uplo", "L")),
        is_left: call.attributes.word("side", "LEFT") == "LEFT",
        is_transposed: call.attributes.word("transpose", "NO_TRANSPOSE") != "NO_TRANSPOSE",
        is_unit: call.attributes.word("diagonal", "") == "UNIT",
    };
    solved(call, &system)
}

/// The solutions of the systems of operand 0, for the matrices of operand 1.
fn solved(call: &LocalCall<'_>, system: &System) -> Made {
    let (all, mut made) = (squares(operand(call, 0)?)?, matrices(operand(call, 1)?)?);
    for (a, b) in all.iter().zip(&mut made) {
        let size = if system.is_left { b.rows } else { b.columns };
        if a.rows != size {
            return Err(Failed::Not("its matrices do not fit each other".to_string()));
        }
        system.solve(a, b);
    }
    Ok(vec![stored(call, 0, flat(made))?])
}

/// Integers that belong to the matrices of a batch.
fn integers(call: &LocalCall<'_>, at: usize, values: Vec<i128>) -> Result<HostArray, Failed> {
    let result = &call.results[at];
    let is_integer = matches!(result.dtype, DType::S32 | DType::S64);
    if !is_integer || values.len() != result.local_dims().iter().product::<usize>() {
        return Err(Failed::Not("its results do not have the sizes of its operands".to_string()));
    }
    Ok(Numbers::Integer(values).store(result.dtype, result.local_dims())?)
}
