use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i floordiv 2 : dense, i mod 3 : dense, j : compressed));

fn main() {}
