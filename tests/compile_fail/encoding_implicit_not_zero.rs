use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j : compressed), implicitVal = 1.0 : f64);

fn main() {}
