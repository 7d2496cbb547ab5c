use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn f(p: Csr<u32>[i, j], x: Dense<f64>[n]) -> y: Dense<f64>[i] { y[i] = x[p[i, j]] }
}

fn main() {}
