use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j floordiv 8 : dense, j mod 8 : structured[2, 4]));

fn main() {}
