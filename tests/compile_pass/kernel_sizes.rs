//! Kernels called with sizes that are types: equal, open, or const generic parameters.

use tensor_layout::sparse::Duplicates;
use tensor_layout::{sparse_encoding, sparse_kernel, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
}

type Matrix<const M: usize, const N: usize> = sparse_tensor!(f64[M, N] Csr);
type Open = sparse_tensor!(f64[?, ?] Csr);

fn multiply<const M: usize, const N: usize>(a: &Matrix<M, N>, x: &[f64; N]) -> [f64; M] {
    let mut y = [0.0; M];
    spmv_into(a, x, &mut y).expect("sizes that agree");
    y
}

fn main() {
    let a = Matrix::<2, 3>::from_coo(&[([1, 2], 2.0)], Duplicates::Error).expect("it fits");
    let open = Open::with_shape([2, 3], &[([0, 0], 1.0)], Duplicates::Error).expect("it fits");
    assert_eq!(multiply(&a, &[1.0, 1.0, 4.0]), [0.0, 8.0]);
    assert_eq!(spmv(&open, &[5.0; 3]).expect("sizes that agree").values(), [5.0, 0.0]);
    assert_eq!(add(&a, &open).expect("sizes that agree").values(), [1.0, 2.0]);
    assert_eq!(add(&*a, &open).expect("sizes that agree").values(), [1.0, 2.0]);
    let kernel: fn(&Matrix<2, 3>, &Open) -> _ = add;
    assert_eq!(kernel(&a, &open).expect("sizes that agree").values(), [1.0, 2.0]);
}
