use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i : #sparse_tensor<slice(0, 4, 1)>) -> (i floordiv 2 : compressed, i mod 2 : dense));

fn main() {}
