tensor_layout::sparse_encoding! {
    type Csr<const N: usize> = (i, j) -> (i : dense, j : compressed);
}

fn main() {}
