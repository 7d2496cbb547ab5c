use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i ceildiv 2 : dense, j : compressed));

fn main() {}
