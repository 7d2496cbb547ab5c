use tensor_layout::sparse_tensor;

type Bad = sparse_tensor!(tensor<4x6xf64, #SortedCOO>);

fn main() {}
