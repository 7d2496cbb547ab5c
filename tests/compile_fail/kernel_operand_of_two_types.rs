tensor_layout::sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
tensor_layout::sparse_kernel! {
    fn f(a: Csr<f64, u8>[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] }
}

fn main() {}
