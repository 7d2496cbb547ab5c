use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        #[name = "layers.{}.{}"]
        layers: [tensor_layout::tpu!(f32[64,64]); 2],
    }
}

fn main() {}
