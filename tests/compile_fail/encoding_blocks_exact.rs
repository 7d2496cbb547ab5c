use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(tensor<5x8xf32, #sparse_tensor.encoding<{
    map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense), padded = false
}>>);

fn main() {}
