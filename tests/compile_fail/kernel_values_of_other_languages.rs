//! Methods, subscripts in several pairs of brackets, and products of matrices.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn methods(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = 0.0.max(a[i, j]) + relu(a[i, j]).abs() }
    fn several(a: Csr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] += a[i][j] * x[j][k] }
    fn product(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y = a @ x }
}

fn main() {}
