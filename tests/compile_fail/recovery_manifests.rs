//! Syntax errors hide no other mistakes of a manifest.
use tensor_layout::checkpoint;

checkpoint! {
    pub class Mlp {
        #[rename = "up.weight"]
        up: tensor_layout::tpu!(bf16[1024,4096]),
        #[name = up.bias]
        bias: Tensor<f32, 1>;
        down: tensor_layout::tpu!(bf16[4096,,1024])
        scale: f32,
        norms: [tensor_layout::tpu!(f32[64])],
    }
}

fn main() {}
