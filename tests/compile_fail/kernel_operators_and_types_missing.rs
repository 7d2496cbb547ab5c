use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn scaled(alpha, a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = alpha a[i, j] }
}

fn main() {}
