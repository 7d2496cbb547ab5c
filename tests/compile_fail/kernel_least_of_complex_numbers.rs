use tensor_layout::num_complex::Complex;
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn least(a: Csr<Complex<f32>>[i, j]) -> y: Dense<Complex<f32>>[i] { y[i] min= a[i, j] }
}

fn main() {}
