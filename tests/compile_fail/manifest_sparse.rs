use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        wq: tensor_layout::sparse_tensor!(tensor<4x6xf33, #sparse_tensor.encoding<{
            map = (i, j) -> (i : dense, j : compressed)
        }>>),
        wk: Vec<tensor_layout::sparse_tensor!(tensor<4x6xf32, #sparse_tensor.encoding<{
            map = (i, j) -> (i : dense, j : pressed)
        }>>)>,
    }
}

fn main() {}
