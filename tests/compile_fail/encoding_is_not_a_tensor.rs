use tensor_layout::sparse::{Duplicates, formats::Csr};

fn main() {
    let _ = Csr::<usize, usize>::from_coo([2, 3], &[([0, 1], 2.0)], Duplicates::Error);
}
