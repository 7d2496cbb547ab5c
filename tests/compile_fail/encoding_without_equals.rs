tensor_layout::sparse_encoding! {
    pub type Csr (i, j) -> (i : dense, j : compressed);
}

fn main() {}
