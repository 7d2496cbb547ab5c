use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
}

sparse_kernel! {
    fn f(a: Csr<f64>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] += a[i, j] * x[j] }
    fn g(a: Csr<i64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn h(a: Csr<u8>[i, j], s: i8) -> y: Dense<u32>[i] { y[i] += s * a[i, j] }
    fn k(a: Csr<i32>[i, j], x: Dense<bf16>[j]) -> y: Dense<bf16>[i] { y[i] += a[i, j] * x[j] }
}

fn main() {}
