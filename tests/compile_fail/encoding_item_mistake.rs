tensor_layout::sparse_encoding! {
    /// Rows of sorted columns.
    pub type Csr = (i, j) -> (i : dense, j : compressed);
    pub type Bad = (i, j) -> (i : dense, j : singleton);
}

fn main() {
    println!("{}", Csr!([stringify]));
}
