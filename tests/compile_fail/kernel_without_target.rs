//! A statement begins with the output that it computes.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn returned(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { return a[i, j] * x[j] }
    fn sum(a: Csr<f64>[i, j]) -> s: f64 { return a[i, j]; }
    fn alone(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { a[i, j] * x[j] }
}

fn main() {}
