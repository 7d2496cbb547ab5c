//! Functions that have other names here, or are written out.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn positive(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = relu(a[i, j]) }
    fn chosen(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = np.where(a[i, j] > 0, a[i, j], 0) }
    fn gate(a: Dense<f64>[i], b: Dense<f64>[i]) -> c: Dense<f64>[i] { c[i] = a[i] * sigmoid(a[i] + b[i]) }
    fn natural(a: Dense<f64>[i]) -> c: Dense<f64>[i] { c[i] = log1p(a[i]) }
}

fn main() {}
