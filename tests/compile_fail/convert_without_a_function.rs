//! Elements of another type are computed by a function, and entries that repeat are treated as the call says.
use tensor_layout::sparse::{BuildError, SparseTensor, formats::Csr};
use tensor_layout::{Packed, tpu};

fn narrow(x: &Packed<tpu!(f32[8,128])>) -> Packed<tpu!(bf16[8,128])> {
    x.convert()
}

fn matrix() -> Result<SparseTensor<Csr, f64>, BuildError> {
    SparseTensor::<Csr, f64>::from_coo([2, 3], &[([0, 1], 2.0)])
}

fn main() {}
