use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense));

fn main() {}
