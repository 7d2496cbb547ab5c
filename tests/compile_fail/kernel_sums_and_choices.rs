//! Sums and choices as functions and expressions, and schedules with the words of other compilers.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn sddmm(s: Csr<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[j, k]) -> o: Csr<f64>[i, j] {
        o[i, j] = s[i, j] * sum(u[i, k] * v[j, k], k)
    }
    fn lower(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = if j < i { a[i, j] } else { 0 } }
    fn clipped(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = if a[i, j] > 1 { 1 } else { a[i, j] } }
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; par(i); simd(j) }
}

fn main() {}
