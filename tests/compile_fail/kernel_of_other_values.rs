//! A tensor and a vector of `f32` for a kernel of `f64`.
use tensor_layout::sparse::{SparseTensor, formats::Csr};
use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn spmv(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

fn main() {
    let a = SparseTensor::<Csr, f32>::empty([2, 3]).unwrap();
    let _ = spmv(&a, &vec![1.0f32; 3]);
}
