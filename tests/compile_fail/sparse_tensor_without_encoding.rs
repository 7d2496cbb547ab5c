use tensor_layout::sparse_tensor;

type Mlir = sparse_tensor!(tensor<4x6xf64>);
type Short = sparse_tensor!(f64[4,6]);

fn main() {}
