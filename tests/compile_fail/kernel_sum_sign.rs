//! The sign of a sum, with its index below it, behind it or in brackets.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn below(a: Csr<f64>[i, k], b: Dense<f64>[k, j]) -> c: Dense<f64>[i, j] { c[i, j] = Σ_k a[i, k] * b[k, j] }
    fn braces(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = Σ_{j} a[i, j] * x[j] }
    fn behind(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = Σ(j) a[i, j] * x[j] }
    fn named(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = 2 * sum_j (a[i, j] * x[j]) }
    fn two(a: Csr<f64>[i, j]) -> s: f64 { s = Σ_i Σ_j a[i, j] }
}

fn main() {}
