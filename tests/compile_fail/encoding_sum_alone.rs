use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i + j : dense));

fn main() {}
