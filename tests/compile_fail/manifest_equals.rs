//! The type of a field follows a colon.
use tensor_layout::checkpoint;

checkpoint! {
    pub struct Mlp {
        up = tensor_layout::tpu!(bf16[64,128]),
    }
}

fn main() {}
