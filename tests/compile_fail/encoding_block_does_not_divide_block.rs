use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i) -> (i floordiv 6 : dense, (i mod 6) floordiv 4 : dense, i mod 4 : dense));

fn main() {}
