use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        wq: tensor_layout::tpu!(f32[64,,64]),
        wk: Vec<tensor_layout::tpu!(f33[64])>,
    }
}

fn main() {}
