use tensor_layout::sparse::{SparseTensor, formats::Csr};

fn f(_: &SparseTensor<f64, Csr>) {}

fn main() {}
