//! The functions of LAPACK that JAX calls on CPUs.

use super::super::{Failed, HostArray, LocalCall, Made};
use super::matrix::{Matrix, System, Triangle};
use super::{flat, floats, integers, matrices, operand, solved, squares, stored};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// `custom_call(x)` in MLIR, of a function of LAPACK without the letter of its element type. Programs with any other function are
/// refused before they run.
pub(in super::super) fn custom_call(call: &LocalCall<'_>) -> Made {
    match call.attributes.word("function", "") {
        "geqrf" => geqrf(call),
        "getrf" => getrf(call),
        "orgqr" => orgqr(call),
        "potrf" => potrf(call),
        "syevd" => syevd(call),
        "trsm" => trsm(call),
        other => Err(Failed::Not(format!("there is no kernel for `{other}`"))),
    }
}

/// Whether a flag is this letter.
fn is(call: &LocalCall<'_>, flag: &str, letter: u8) -> bool {
    call.attributes.named_number(flag) == Some(letter.into())
}

fn triangle(call: &LocalCall<'_>) -> Triangle {
    if is(call, "uplo", b'U') { Triangle::Upper } else { Triangle::Lower }
}

/// The results of the matrices of a batch, one array of each kind.
fn each<const N: usize>(
    matrices: Vec<Matrix>,
    of: impl Fn(Matrix) -> [Vec<f64>; N],
) -> [Vec<f64>; N] {
    let mut all = [const { Vec::new() }; N];
    for matrix in matrices {
        all.iter_mut().zip(of(matrix)).for_each(|(all, own)| all.extend(own));
    }
    all
}

/// Results that are integers, after those that are not.
fn with_integers<const N: usize>(
    call: &LocalCall<'_>,
    mut made: Vec<HostArray>,
    all: [Vec<i128>; N],
) -> Made {
    for own in all {
        let at = made.len();
        if at >= call.results.len() {
            break;
        }
        made.push(integers(call, at, own)?);
    }
    Ok(made)
}

/// The Cholesky decomposition: the factor, in place of one triangle, and whether it failed.
fn potrf(call: &LocalCall<'_>) -> Made {
    let (mut made, mut failed) = (squares(operand(call, 0)?)?, Vec::new());
    for matrix in &mut made {
        failed.push(matrix.cholesky(triangle(call)) as i128);
    }
    with_integers(call, vec![stored(call, 0, flat(made))?], [failed])
}

/// The LU decomposition: the factors, the pivots, and whether it failed.
fn getrf(call: &LocalCall<'_>) -> Made {
    let (mut made, mut pivots, mut failed) = (matrices(operand(call, 0)?)?, Vec::new(), Vec::new());
    for matrix in &mut made {
        let (own, number) = matrix.lu();
        pivots.extend(own.into_iter().map(|pivot| pivot as i128));
        failed.push(number as i128);
    }
    with_integers(call, vec![stored(call, 0, flat(made))?], [pivots, failed])
}

/// The QR decomposition: the reflectors and their scalar factors tau.
fn geqrf(call: &LocalCall<'_>) -> Made {
    let [reflectors, taus] = each(matrices(operand(call, 0)?)?, |mut matrix| {
        let taus = matrix.qr();
        [matrix.values, taus]
    });
    Ok(vec![stored(call, 0, reflectors)?, stored(call, 1, taus)?])
}

/// The orthogonal matrix of reflectors.
fn orgqr(call: &LocalCall<'_>) -> Made {
    let (all, taus) = (matrices(operand(call, 0)?)?, floats(operand(call, 1)?)?);
    let count = taus.len() / all.len().max(1);
    let made = all.iter().enumerate();
    let made = made.map(|(at, x)| x.product_of_reflectors(&taus[at * count..][..count]));
    Ok(vec![stored(call, 0, flat(made.collect()))?])
}

/// The eigenvectors and eigenvalues of symmetric matrices, and whether they were not found.
fn syevd(call: &LocalCall<'_>) -> Made {
    let matrices = squares(operand(call, 0)?)?;
    let [vectors, values, failed] = each(matrices, |matrix| match matrix.eigen(triangle(call)) {
        Some((values, vectors)) => [vectors.values, values, vec![0.0]],
        None => {
            let nans = |count| vec![f64::NAN; count];
            [nans(matrix.values.len()), nans(matrix.rows), vec![1.0]]
        }
    });
    let made = vec![stored(call, 0, vectors)?, stored(call, 1, values)?];
    with_integers(call, made, [failed.into_iter().map(|failed| failed as i128).collect()])
}

/// Triangular systems.
fn trsm(call: &LocalCall<'_>) -> Made {
    let system = System {
        triangle: triangle(call),
        is_left: is(call, "side", b'L'),
        is_transposed: !is(call, "trans_x", b'N'),
        is_unit: is(call, "diag", b'U'),
    };
    solved(call, &system)
}
