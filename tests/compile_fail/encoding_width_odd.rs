use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = 12);

fn main() {}
