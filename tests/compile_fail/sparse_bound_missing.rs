//! Generic functions without the bound of the encoding or of the elements.
use tensor_layout::sparse::{Encoding, SparseTensor};

fn entries<E>(_a: &SparseTensor<E, f64>) -> usize {
    1
}

fn total<E: Encoding, T: Copy>(a: &SparseTensor<E, T>) -> usize {
    a.to_coo().len()
}

fn main() {}
