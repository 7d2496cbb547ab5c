use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(tensor<4x5xf64, #sparse_tensor.encoding<{
    map = (i, j) -> (i : dense, j : compressed), explicitVal = 1
}>>);

fn main() {}
