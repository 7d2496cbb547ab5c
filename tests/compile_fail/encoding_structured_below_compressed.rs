use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : compressed, j floordiv 4 : dense, j mod 4 : structured[2, 4]));

fn main() {}
