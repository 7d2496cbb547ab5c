use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i) -> (i mod 4 : structured[2, 4], i floordiv 4 : dense));

fn main() {}
