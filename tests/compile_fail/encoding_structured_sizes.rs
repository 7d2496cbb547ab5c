use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i) -> (i floordiv 4 : dense, i mod 4 : structured[5, 4]));

fn main() {}
