use tensor_layout::sparse_encoding;

type Blocks = sparse_encoding!((i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2, j mod 2));

fn main() {}
