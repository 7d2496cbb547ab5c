//! Functions of whole rows, and schedules outside of the braces.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn length(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = norm(a[i, j]) }
    fn shares(a: Dense<f64>[i, j]) -> y: Dense<f64>[i, j] { y[i, j] = softmax(a[i, j]) }
    fn outside(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] } parallel(i)
}

fn main() {}
