//! The kernels that the macro generates.

use sparse_bench::Matrix;
use tensor_layout::sparse::{Duplicates, LevelParts, Parts, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    pub(crate) type Csr = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    pub(crate) type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense),
        posWidth = 32, crdWidth = 32;
    pub(crate) type Csf = (i, k, l) -> (i : compressed, k : compressed, l : compressed), posWidth = 32, crdWidth = 32;
}

sparse_kernel! {
    pub(crate) fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    pub(crate) fn spmv_parallel(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {
        y[i] = a[i, j] * x[j];
        parallel(i)
    }
    pub(crate) fn bsr_spmv(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    pub(crate) fn spmm(a: Csr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] = a[i, j] * x[j, k] }
    pub(crate) fn spmm_parallel(a: Csr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] {
        y[i, k] = a[i, j] * x[j, k];
        parallel(i)
    }
    pub(crate) fn bsr_spmm(a: Bsr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] = a[i, j] * x[j, k] }
    pub(crate) fn spgemm(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
    pub(crate) fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
    pub(crate) fn spgemm_parallel(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] {
        c[i, j] = a[i, k] * b[k, j];
        parallel(i)
    }
    pub(crate) fn add_parallel(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] {
        c[i, j] = a[i, j] + b[i, j];
        parallel(i)
    }
    pub(crate) fn transposed(a: Csr<f64>[i, j]) -> b: Csr<f64>[j, i] { b[j, i] = a[i, j] }
    pub(crate) fn mttkrp(b: Csf<f64>[i, k, l], d: Dense<f64>[l, j], c: Dense<f64>[k, j]) -> a: Dense<f64>[i, j] {
        a[i, j] = b[i, k, l] * d[l, j] * c[k, j]
    }
}

pub(crate) fn csr(a: &Matrix) -> SparseTensor<Csr, f64> {
    let rows = LevelParts { positions: a.positions.clone(), coordinates: a.coordinates.clone() };
    let levels = vec![LevelParts::default(), rows];
    let parts = Parts { shape: vec![a.rows, a.columns], levels, values: a.values.clone() };
    SparseTensor::assemble(parts).unwrap_or_else(|_| unreachable!("rows are in order"))
}

pub(crate) fn csf(shape: [usize; 3], entries: &[([usize; 3], f64)]) -> SparseTensor<Csf, f64> {
    SparseTensor::from_coo(shape, entries, Duplicates::Error).expect("an array")
}
