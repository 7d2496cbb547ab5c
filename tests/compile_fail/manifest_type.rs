use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        wq: &'a [f32],
        wk: (tensor_layout::tpu!(f32[64,64]), u8),
    }
}

fn main() {}
