//! Conditions, loops and products of arrays as other notations write them.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn lower(a: Csr<f64>[i, j]) -> b: Csr<f64>[i, j] { b[i, j] = a[i, j] where j < i }
    fn rows(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] for j in i }
    fn product(a: Csr<f64>[i, j], b: Dense<f64>[j, k]) -> c: Dense<f64>[i, k] { c[i, k] = matmul(a, b) }
}

fn main() {}
