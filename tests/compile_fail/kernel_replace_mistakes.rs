use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn without_a_mask(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j]; replace }
    fn dense(a: Csr<f64>[i, j], m: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] += a[i, j] if m[i] != 0; replace }
    fn of_the_sum(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, k] * b[k, j] if k < 4; replace }
    fn twice(a: Csr<f64>[i, j], m: Csr<bool>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] if m[i, j] != 0; keep; replace }
    fn diagonal(a: Csr<f64>[i, j], x: Dense<f64>[i]) -> c: Csr<f64>[i, j] { c[i, i] += x[i] if x[i] > 0; replace }
    fn several(a: Csr<f64>[i, j], m: Csr<bool>[i, j]) -> c: Csr<f64>[i, j] { let t[i, j] = a[i, j]; c[i, j] += t[i, j] if m[i, j] != 0; replace }
    fn called(a: Csr<f64>[i, j], m: Csr<bool>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j] if m[i, j] != 0; replaced }
}

fn main() {}
