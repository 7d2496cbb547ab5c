//! Operands with the types that the arguments have in Rust.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn borrowed(a: &SparseTensor<Csr, f64>, x: &[f64], w: &[[f32; 4]]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn owned(a: SparseTensor<Csr, f64>, x: Vec<f64>) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

fn main() {}
