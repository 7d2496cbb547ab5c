use tensor_layout::sparse::{SparseTensor, formats::Csr};

fn first(a: SparseTensor<Csr<usize, usize>, f64>) -> f64 {
    a[[0, 1]]
}

fn main() {}
