use tensor_layout::layouts;

layouts! {
    /// Weights.
    pub type W1 = tpu!(bf16[64,128])
    /// Activations.
    pub type W2 = tpu!(bf16[64,256]),
    #[allow(dead_code)]
    type W3 = tpu!(bf16[64,512])
}

fn main() {}
