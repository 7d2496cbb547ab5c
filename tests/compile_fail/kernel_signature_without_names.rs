//! Operands whose dimensions have no names, and outputs without a name: the body tells them.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn unnamed(a: Csr<f64>, x: Dense<f64>) -> y: Dense<f64> { y[i] += a[i, j] * x[j] }
    fn of_rust(a: &Csr<f64>, x: &[f64]) -> Vec<f64> { y[i] += a[i, j] * x[j] }
    fn number(a: Csr<f64>[i, j], x: Dense<f64>[j], z: Dense<f64>[i]) -> f64 { s = z[i] * a[i, j] * x[j] }
    fn absent(a: Csr<f64>[i, j], z: Dense<f64>[j]) { w[i] = a[i, j] * z[j] }
}

fn main() {}
