//! The given output does not have the encoding of the output that is computed.
use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse::formats::{Csc, Csr};
use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn scale(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[i]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] {
        c[i, j] = a[i, j] * x[i]
    }
}

fn main() {
    let a = SparseTensor::<Csr, f64>::from_dense([2, 2], &[1.0; 4]).unwrap();
    let mut c = SparseTensor::<Csc, f64>::from_dense([2, 2], &[1.0; 4]).unwrap();
    scale_into(&a, &[1.0; 2], &mut c).unwrap();
}
