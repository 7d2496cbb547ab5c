//! The number of dimensions and the element type are not parameters of `Layout` and `Packed`.
use tensor_layout::{Layout, Packed, sparse::SparseTensor};

fn corner<L: Layout<2>>(x: &Packed<L>) -> usize {
    x.len(0)
}

struct Model {
    weights: Packed<f32, 2>,
    edges: SparseTensor<f64>,
}

fn main() {}
