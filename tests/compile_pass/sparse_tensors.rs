//! Sparse tensors with their sizes in the type, in every position in which a type is allowed.

use tensor_layout::sparse::{Duplicates, Encoding, ShapedTensor, formats};

tensor_layout::sparse_encoding! { pub type SortedCoo = (i, j) -> (i : compressed(nonunique), j : singleton); }

macro_rules! matrix {
    ($rows:expr, $columns:literal, $encoding:ty) => {
        tensor_layout::sparse_tensor!(f64[{$rows}, $columns] $encoding)
    };
}

struct Model<const N: usize> {
    weights: tensor_layout::sparse_tensor!(f32[N, ?] formats::Csr<u32, u32>),
}

impl<const N: usize> Model<N> {
    fn new() -> Self {
        let weights = ShapedTensor::with_shape([N, 7], &[], Duplicates::Error);
        Self { weights: weights.expect("no entries") }
    }
}

fn diagonal<E: Encoding<Index = [usize; 2]>>() -> tensor_layout::sparse_tensor!(f64[2, 2] E) {
    let entries = [([0, 0], 1.0), ([1, 1], 1.0)];
    ShapedTensor::from_coo(&entries, Duplicates::Error).expect("a diagonal")
}

fn main() {
    assert_eq!(<matrix!(2 + 2, 6, formats::Csr)>::empty().expect("no entries").shape(), [4, 6]);
    assert_eq!(Model::<3>::new().weights.shape(), [3, 7]);
    assert_eq!(diagonal::<SortedCoo>().get([1, 1]), 1.0);
    type Local = tensor_layout::sparse_tensor!(tensor<1000000x?xbf16, #SortedCOO>);
    assert_eq!(Local::SPEC.sizes(), [Some(1000000), None]);
}
