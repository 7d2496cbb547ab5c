use tensor_layout::checkpoint;

checkpoint! {
    pub struct Block {
        #[name = "layers.{0}"]
        layers: Vec<tensor_layout::tpu!(f32[64,64])>,
    }
}

fn main() {}
