use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block<'a, 'b> {
        wq: tensor_layout::tpu!(f32[64,64]),
    }
}

fn main() {}
