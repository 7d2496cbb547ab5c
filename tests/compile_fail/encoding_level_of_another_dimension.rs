use tensor_layout::sparse_encoding;

type Twice = sparse_encoding!((i, j) -> (i : dense, i : compressed));

fn main() {}
