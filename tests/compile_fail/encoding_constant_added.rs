use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i + 1 : dense, j : compressed));

fn main() {}
