use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!([c](i, j) -> (c * 3 * i : dense, j : compressed, i : dense));

fn main() {}
