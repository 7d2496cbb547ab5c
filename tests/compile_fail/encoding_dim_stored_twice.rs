use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i) -> (i : dense, i : compressed));

fn main() {}
