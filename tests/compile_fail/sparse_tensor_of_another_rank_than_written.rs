use tensor_layout::sparse_tensor;

type Bad = sparse_tensor!(tensor<10x10xf32, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>);

fn main() {
    let _ = Bad::empty();
}
