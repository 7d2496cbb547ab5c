struct Bad(tensor_layout::sparse_encoding!((i, j) -> (i : dense j : compressed)));

fn main() {}
