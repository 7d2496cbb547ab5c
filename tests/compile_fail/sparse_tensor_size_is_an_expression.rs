use tensor_layout::{sparse::formats::Csr, sparse_tensor};

const ROWS: usize = 4;
type Bad = sparse_tensor!(f64[ROWS * 2, 6] Csr);

fn main() {}
