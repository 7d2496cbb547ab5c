use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Loose = (i, j) -> (i : dense, j : loose_compressed);
}

sparse_kernel! {
    fn f(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Loose<f64>[i, j] { c[i, j] = a[i, j] * b[i, j]; parallel(i) }
}

fn main() {}
