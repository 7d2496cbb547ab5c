use tensor_layout::checkpoint;

checkpoint! {
    pub Model { w: tpu!(bf16[8,128]), bias: f32[64] }
}

fn main() {}
