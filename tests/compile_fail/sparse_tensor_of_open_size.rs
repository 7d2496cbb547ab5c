use tensor_layout::sparse::{Duplicates, formats::Csr};
use tensor_layout::sparse_tensor;

type Open = sparse_tensor!(f64[?, 6] Csr);

fn main() {
    let _ = Open::from_coo(&[([0, 1], 1.0)], Duplicates::Error);
}
