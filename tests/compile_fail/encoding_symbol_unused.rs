use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!([c](i, j) -> (i : dense, j : compressed));

fn main() {}
