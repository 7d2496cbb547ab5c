//! Statements that other notations allow.
use tensor_layout::{sparse_encoding, sparse_kernel, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn parentheses(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y(i) += a(i, j) * x(j) }
}

sparse_kernel! {
    fn unnamed(a: Csr<f64>[i, j]) -> f64 { a[i, j] }
}

type Comma = sparse_tensor!(f64[4,6], Csr);
type EncodingFirst = sparse_tensor!(Csr<f64>[4,6]);

fn main() {}
