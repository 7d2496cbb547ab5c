use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!({l0, l1, l2}(i, j) -> (l0 = i : dense, l1 = j : compressed));

fn main() {}
