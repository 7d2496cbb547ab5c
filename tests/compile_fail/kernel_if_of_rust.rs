//! A condition comes at the end of its statement.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn positive(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { if a[i, j] > 0 { y[i] += a[i, j] } }
}

fn main() {}
