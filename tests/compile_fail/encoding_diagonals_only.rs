use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j, k) -> (j - i : compressed, k - j : dense, k - i : dense));

fn main() {}
