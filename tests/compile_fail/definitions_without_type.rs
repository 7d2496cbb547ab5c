//! Definitions without `type`, and their uses.
use tensor_layout::{Packed, SparseTensor, layouts, sparse_encoding};

sparse_encoding! { Csr = (i, j) -> (i : dense, j : compressed); pub Csc = (i, j) -> (j : dense, i : compressed) }
layouts! { W = tiled!(f32[3,5]{1,0}); pub X = tpu!(f32[8,8]); }

fn rows(_: &SparseTensor<Csr, f64>, _: &Packed<W>) {}
fn columns(_: &SparseTensor<Csc, f64>, _: &Packed<X>) {}

fn main() {}
