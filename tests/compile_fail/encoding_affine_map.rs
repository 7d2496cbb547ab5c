struct Bad(tensor_layout::sparse_encoding!(affine_map<(i, j) -> (i, j)>));

fn main() {}
