use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn f(a: Csr<bool>[i, k], b: Csr<bool>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = lor.land(a[i, k], b[k, j]) }
}

fn main() {}
