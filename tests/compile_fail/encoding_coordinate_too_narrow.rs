use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(tensor<4x1000xf64, #sparse_tensor.encoding<{
    map = (i, j) -> (i : dense, j : compressed), crdWidth = 8
}>>);

fn main() {}
