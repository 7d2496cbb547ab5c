use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(3, 4)));

fn main() {}
