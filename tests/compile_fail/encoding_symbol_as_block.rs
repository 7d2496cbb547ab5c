use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!([c](i, j) -> (i floordiv c : dense, j : compressed, i mod c : dense));

fn main() {}
