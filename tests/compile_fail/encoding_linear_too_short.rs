use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(tensor<4x9xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i * 8 + j : compressed) }>>);

fn main() {}
