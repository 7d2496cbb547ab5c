//! Statements of Rust and C in the body of a kernel.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn returned(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; return y; }
    fn loops(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { for i in 0..4 { y[i] += a[i, j] * x[j]; } }
    fn chosen(a: Csr<f64>[i, j]) -> y: Csr<f64>[i, j] { y[i, j] = a[i, j] > 0 ? a[i, j] : 0 }
    fn mutable(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { let mut t[i] = a[i, j]; y[i] = 2 * t[i] }
    fn cast(a: Csr<f64>[i, j]) -> y: Csr<f64>[i, j] { y[i, j] = a[i, j] as f64 }
    fn together(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { let t[i] = a[i, j] y[i] = 2 * t[i] }
    fn squared(a: Csr<f64>[i, j]) -> s: f64 { s += a[i, j]^2 }
    fn split(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = a[i, j]; split(i); vectorise(i) }
    fn most(a: Csr<f64>[i, j]) -> s: f64 { s = max(a[i, j]) }
    fn count(a: Csr<f64>[i, j]) -> n: f64 { n = count(a[i, j]) }
}

fn main() {}
