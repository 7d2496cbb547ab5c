//! Functions that return an array and not a `Result`, operators of two element types, and exchanged arguments.
use tensor_layout::sparse::SparseTensor;
use tensor_layout::{Packed, matmul, sparse_encoding, sparse_kernel, tpu};

type X = tpu!(f32[16,64]);
type W = tpu!(f32[64,32]);
type Y = tpu!(f32[16,32]);
type Half = tpu!(bf16[16,64]);

sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    pub fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

fn multiplied(x: &Packed<X>, w: &Packed<W>) -> Packed<Y> {
    matmul(x, w).unwrap()
}

fn mapped(x: &Packed<X>) -> Packed<X> {
    x.map(|x| 2.0 * x).expect("memory")
}

fn added(x: &Packed<X>, half: &Packed<Half>) -> Packed<X> {
    x + half
}

fn exchanged(a: &SparseTensor<Csr, f64>, x: &[f64]) {
    let _ = spmv(x, a);
}

fn main() {}
