use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i : #sparse_tensor<slice(-1, 4, 1)>, j) -> (i : dense, j : compressed));

fn main() {}
