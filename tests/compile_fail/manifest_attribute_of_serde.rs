//! The name of a tensor in the checkpoint is an attribute of its own.
use tensor_layout::checkpoint;

checkpoint! {
    pub struct Mlp {
        #[serde(rename = "up.weight")]
        up: tensor_layout::tpu!(bf16[64,128]),
    }
}

fn main() {}
