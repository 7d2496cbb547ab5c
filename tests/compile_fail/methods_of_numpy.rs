//! Methods under their names in NumPy and SciPy: the traits that rustc names have them.
use tensor_layout::sparse::{SparseTensor, formats::Csr};
use tensor_layout::{Packed, tpu};

fn array(a: &Packed<tpu!(f32[4,6])>) {
    let _ = a.ndim();
    let _: Packed<tpu!(f32[6,4])> = a.t();
}

fn sparse(a: &SparseTensor<Csr, f64>) -> usize {
    a.nnz()
}

fn main() {}
