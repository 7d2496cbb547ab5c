//! Transposes, vectors that are not named in the signature, and the format of coordinates.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_encoding! { type Coo = (i, j) -> (i : coo, j : singleton); }

sparse_kernel! {
    fn turned(a: Csr<f64>[i, j]) -> y: Dense<f64>[j, i] { y[j, i] = transpose(a) }
    fn square(a: Csr<f64>[n, n]) -> y: Dense<f64>[i, j] { y[i, j] = transpose(a) }
    fn affine(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { let t[i] = a[i, j] * x[j]; y[i] = t[i] }
    fn shifted(a: Csr<f32>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] += a[i, j] * x[j] + bias[i] }
}

fn main() {}
