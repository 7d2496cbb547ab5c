//! Elements in square brackets, dimensions in parentheses, and subscripts without a comma.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn elements(a: Csr[f64][i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn dimensions(a: Csr<f64>(i, j), x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i j] * x[j] }
    fn product(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] . b[i, j] }
}

fn main() {}
