use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};

fn main() {
    let _ = SparseTensor::<Csr, f64>::from_coo([2, 3], &[(0, 1, 2.0), (1, 2, -3.0)], Duplicates::Error);
}
