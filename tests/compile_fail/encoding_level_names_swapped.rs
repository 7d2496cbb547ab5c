use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!({l0, l1}(i, j) -> (l1 = i : dense, l0 = j : compressed));

fn main() {}
