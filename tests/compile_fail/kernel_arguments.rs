//! Arguments in the wrong order, by value, in another encoding and with elements of another type.
use tensor_layout::sparse::{SparseTensor, formats};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn spmm(a: Csr<f64>[i, k], b: Dense<f64>[k, j]) -> c: Dense<f64>[i, j] { c[i, j] += a[i, k] * b[k, j] }
}

fn order(a: &SparseTensor<Csr, f64>, x: &Vec<f64>) {
    let _ = spmv(x, a);
}

fn by_value(a: &SparseTensor<Csr, f64>, x: Vec<f64>) {
    let _ = spmv(a, x);
}

fn columns(a: &SparseTensor<formats::Csc, f64>) {
    let _ = spmv(a, &[1.0; 3]);
}

fn single_precision(a: &SparseTensor<Csr, f64>, x: &[f32]) {
    let _ = spmv(a, x);
}

fn flat(a: &SparseTensor<Csr, f64>, b: &[f64]) {
    let _ = spmm(a, b);
}

fn main() {}
