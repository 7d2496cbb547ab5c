//! An output with too few dimensions, and operators of Rust.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn spmm(a: Csr<f64>[i, j], b: Dense<f64>[j, k]) -> c: Dense<f64>[i] { c[i, k] += a[i, j] * b[j, k] }
    fn both(a: Csr<bool>[i, j], b: Csr<bool>[i, j]) -> n: u64 { n += a[i, j] && b[i, j] }
}

fn main() {}
