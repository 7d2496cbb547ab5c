use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn f(a: Csr[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] }
}

fn main() {}
