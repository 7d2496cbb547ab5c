//! Decompositions of matrices whose squares overflow, or underflow to zero.

use super::matrix::{Matrix, Triangle};
use alloc::vec::Vec;

fn matrix<const N: usize>(rows: &[[f64; N]]) -> Matrix {
    Matrix { rows: rows.len(), columns: N, values: rows.as_flattened().to_vec() }
}

/// Whether numbers are equal, up to a small part of the largest of them.
#[track_caller]
fn assert_near(found: &[f64], expected: &[f64]) {
    let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let largest = if largest == 0.0 { 1.0 } else { largest };
    // Subnormal numbers have fewer digits.
    let is_near = |(x, y): (&f64, &f64)| (x / largest - y / largest).abs() < 1e-12;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(is_near),
        "found {found:?}, expected {expected:?}"
    );
}

const SCALES: [f64; 6] = [1.0, 1e200, 1e-200, 1e307, 1e-300, 1e-310];

#[test]
fn eigenvalues_of_large_and_small_matrices() {
    let half = 0.5_f64.sqrt();
    for scale in SCALES {
        let ones = matrix(&[[scale, scale], [scale, scale]]);
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let (values, vectors) = ones.eigen(triangle).expect("eigenvalues");
            assert_near(&values, &[0.0, 2.0 * scale]);
            let lengths: Vec<_> = vectors.values.iter().map(|x| x.abs()).collect();
            assert_near(&lengths, &[half; 4]);
        }
        let (values, _) =
            matrix(&[[scale, 0.0, 0.0], [0.0, 3.0 * scale, scale], [0.0, scale, 3.0 * scale]])
                .eigen(Triangle::Lower)
                .expect("eigenvalues");
        assert_near(&values, &[scale, 2.0 * scale, 4.0 * scale]);
    }
    assert!(matrix::<0>(&[]).eigen(Triangle::Lower).is_some());
    assert_near(&matrix(&[[0.0; 2]; 2]).eigen(Triangle::Lower).expect("eigenvalues").0, &[0.0; 2]);
}

#[test]
fn matrices_with_infinity_or_nan_have_no_eigenvalues() {
    for other in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(matrix(&[[other, 1.0], [1.0, 1.0]]).eigen(Triangle::Lower).is_none());
        let below = matrix(&[[1.0, 1.0], [other, 1.0]]);
        assert!(below.eigen(Triangle::Lower).is_none());
        // The other triangle is not read.
        assert!(below.eigen(Triangle::Upper).is_some());
    }
}

#[test]
fn reflectors_of_large_and_small_columns() {
    for scale in SCALES {
        let mut made = matrix(&[[3.0 * scale, scale], [4.0 * scale, 2.0 * scale]]);
        let taus = made.qr();
        assert_near(&[made.values[0], made.values[1]], &[-5.0 * scale, -2.2 * scale]);
        assert_near(&[made.values[2]], &[0.5]);
        assert_near(&taus, &[1.6, 0.0]);
        assert_near(&[made.values[3]], &[0.4 * scale]);
        let q = made.product_of_reflectors(&taus);
        assert_near(&q.values, &[-0.6, -0.8, -0.8, 0.6]);
    }
    // A column whose elements differ much in size.
    let mut made = matrix(&[[1.0], [1e-200]]);
    assert_near(&made.qr(), &[2.0]);
    assert_near(&made.values, &[-1.0, 0.5e-200]);
}

#[test]
fn cholesky_factors_of_large_and_small_matrices() {
    for scale in SCALES {
        let mut made = matrix(&[[4.0 * scale, 0.0], [2.0 * scale, 5.0 * scale]]);
        assert_eq!(made.cholesky(Triangle::Lower), 0);
        let root = scale.sqrt();
        assert_near(&made.values, &[2.0 * root, 0.0, root, 2.0 * root]);
    }
}
