use tensor_layout::sparse::Duplicates;
use tensor_layout::{sparse_encoding, sparse_kernel, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn times(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, k] * b[k, j] }
}

type Matrix = sparse_tensor!(f64[4, 6] Csr);
type Square<const N: usize> = sparse_tensor!(f64[N, N] Csr);

fn twice<const N: usize>(square: &Square<N>, matrix: &Matrix) {
    let _ = times(square, matrix);
}

fn main() {
    let matrix = Matrix::from_coo(&[([1, 5], 2.0)], Duplicates::Error).unwrap();
    let _ = spmv(&matrix, &[1.0; 4]);
    let _ = spmv_into(&matrix, &[1.0; 6], &mut [0.0; 5]);
    twice(&Square::<4>::empty().unwrap(), &matrix);
    twice(&Square::<5>::empty().unwrap(), &matrix);
}
