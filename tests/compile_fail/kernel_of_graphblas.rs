//! A mask before the subscripts, a semiring in one word, and a transposed operand.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn masked(m: Csr<f64>[i, j], a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] {
        c<m>[i, j] = plus_times(a[i, k], b[k, j])
    }
    fn transposed(a: Csr<f64>[i, j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] += a.T[j, i] * x[i] }
}

fn main() {}
