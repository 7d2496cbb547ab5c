use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i floordiv 2 : dense, j floordiv 4 : dense, i mod 2 : dense, j mod 4 : structured[2, 4]));

fn main() {}
