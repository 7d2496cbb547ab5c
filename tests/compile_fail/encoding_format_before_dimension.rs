type Bad = tensor_layout::sparse_encoding!((i, j) -> (dense : i, compressed : j));

fn main() {}
