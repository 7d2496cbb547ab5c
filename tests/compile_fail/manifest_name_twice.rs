use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        #[name = "wq"]
        #[name = "wk"]
        wq: tensor_layout::tpu!(f32[64,64]),
    }
}

fn main() {}
