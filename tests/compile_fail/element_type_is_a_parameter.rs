//! The element type is in the text, and cannot be a parameter.
use tensor_layout::{Packed, sparse::formats::Csr, sparse_tensor, tiled};

fn dense<T>(_: &Packed<tiled!(T[4,6])>) {}
fn sparse<T>(_: &sparse_tensor!(T[4,6] Csr<usize, usize>)) {}

fn main() {}
