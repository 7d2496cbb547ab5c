//! Several mistakes in one signature, none of which hides another.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn dense(a: Csr<f64>[i, j], x: Dens<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, k] * z[j] }
    pub fn generic<'a>(a: &'a Csr<f64>[i, j], x: &[f64]) -> y: Vec<f64>[i] { y[i] += a[i, j] * x[j]; }
}

fn main() {}
