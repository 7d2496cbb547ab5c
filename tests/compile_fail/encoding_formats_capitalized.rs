type Bad = tensor_layout::sparse_encoding!((i, j) -> (i : Dense, j : Compressed));

fn main() {}
