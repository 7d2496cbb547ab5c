tensor_layout::sparse_encoding! {
    pub type type = (i, j) -> (i : dense, j : compressed);
}

fn main() {}
