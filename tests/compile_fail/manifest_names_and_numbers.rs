//! Names beside the fields, and single numbers: each field is read.
use tensor_layout::checkpoint;

checkpoint! {
    pub struct Names { w1: "w1" as tpu!(bf16[8,128]), w2 = "w2": tpu!(bf16[8,128]), bias: f32[64] }
}
checkpoint! {
    pub struct Numbers { w: tpu!(bf16[8,128]), scale: f32, view: &tpu!(f32[8]) }
}

fn main() {}
