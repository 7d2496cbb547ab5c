use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!({l0, l1}(i = l0, j) -> (l0 = i : dense, l1 = j : compressed));

fn main() {}
