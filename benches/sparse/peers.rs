//! The same matrices and kernels in other crates.

use faer::Accum;
use faer::sparse::linalg::matmul::{sparse_dense_matmul, sparse_sparse_matmul};
use faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseColMat, SymbolicSparseRowMat};
use faer::{Mat, Par};
use nalgebra_sparse::CsrMatrix;
use nalgebra_sparse::na::DMatrix;
use nalgebra_sparse::ops::Op;
use nalgebra_sparse::ops::serial::spmm_csr_dense;
use ndarray::Array2;
use sparse_bench::Matrix;
use sprs::CsMatI;

fn wide(numbers: &[u32]) -> Vec<usize> {
    numbers.iter().map(|number| *number as usize).collect()
}

pub(crate) fn sprs<I: sprs::SpIndex>(a: &Matrix) -> CsMatI<f64, I> {
    let narrow = |numbers: &[u32]| numbers.iter().map(|n| I::from_usize(*n as usize)).collect();
    let (positions, coordinates) = (narrow(&a.positions), narrow(&a.coordinates));
    CsMatI::new((a.rows, a.columns), positions, coordinates, a.values.clone())
}

pub(crate) fn faer_rows(a: &Matrix) -> SparseRowMat<usize, f64> {
    let (positions, coordinates) = (wide(&a.positions), wide(&a.coordinates));
    let symbolic =
        SymbolicSparseRowMat::new_checked(a.rows, a.columns, positions, None, coordinates);
    SparseRowMat::new(symbolic, a.values.clone())
}

/// The columns of the transposed matrix: the same arrays.
pub(crate) fn faer_columns(a: &Matrix) -> SparseColMat<usize, f64> {
    let (positions, coordinates) = (wide(&a.positions), wide(&a.coordinates));
    let symbolic =
        SymbolicSparseColMat::new_checked(a.columns, a.rows, positions, None, coordinates);
    SparseColMat::new(symbolic, a.values.clone())
}

pub(crate) fn nalgebra(a: &Matrix) -> CsrMatrix<f64> {
    let (positions, coordinates) = (wide(&a.positions), wide(&a.coordinates));
    CsrMatrix::try_from_csr_data(a.rows, a.columns, positions, coordinates, a.values.clone())
        .expect("rows are in order")
}

pub(crate) fn spmv_sprs<I: sprs::SpIndex>(a: &CsMatI<f64, I>, x: &[f64], y: &mut [f64]) {
    // The product is added to the existing values.
    y.fill(0.0);
    sprs::prod::mul_acc_mat_vec_csr(a.view(), x, y);
}

pub(crate) fn product_faer(a: &SparseRowMat<usize, f64>, x: &Mat<f64>, y: &mut Mat<f64>) {
    sparse_dense_matmul(y.as_mut(), Accum::Replace, a.as_ref(), x.as_ref(), 1.0, Par::Seq);
}

pub(crate) fn product_nalgebra(a: &CsrMatrix<f64>, x: &DMatrix<f64>, y: &mut DMatrix<f64>) {
    spmm_csr_dense(0.0, y, 1.0, Op::NoOp(a), Op::NoOp(x));
}

pub(crate) fn spmm_sprs(a: &CsMatI<f64, u32>, x: &Array2<f64>, y: &mut Array2<f64>) {
    y.fill(0.0);
    sprs::prod::csr_mulacc_dense_rowmaj(a.view(), x.view(), y.view_mut());
}

pub(crate) fn spgemm_faer(a: &SparseColMat<usize, f64>) -> SparseColMat<usize, f64> {
    sparse_sparse_matmul(a.as_ref(), a.as_ref(), 1.0, Par::Seq).expect("there is memory")
}

pub(crate) fn add_faer(
    a: &SparseColMat<usize, f64>,
    b: &SparseColMat<usize, f64>,
) -> SparseColMat<usize, f64> {
    faer::sparse::ops::add(a.as_ref(), b.as_ref()).expect("there is memory")
}
