use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (l0 = i : dense, l1 = j : compressed));

fn main() {}
