//! Methods of SciPy's, PyTorch's and sprs's sparse matrices.
use tensor_layout::sparse::{SparseTensor, formats::{Coo, Csr}};

fn asked(a: SparseTensor<Csr, f64>) {
    let _ = a.nnz();
    let _ = a.rows();
    let _ = a.indptr();
    let _ = a.data();
    let _ = a.dot(&[1.0; 3]);
    let _ = a.column(0);
    let _ = a.t();
}

fn converted(a: SparseTensor<Coo, f64>) {
    let _ = a.to_csr();
    let _ = a.to_f32();
}

fn main() {}
