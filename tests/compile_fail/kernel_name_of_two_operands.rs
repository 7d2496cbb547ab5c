use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], a: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * a[j] }
}

fn main() {}
