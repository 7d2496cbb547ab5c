type Weights = tensor_layout::quantized!(nvfp4_gguf[4096,4080]);
type Scaled = tensor_layout::quantized!(f4e2m1fn[4096,4096] by f8e4m3fn[1,16] by f32 in blocks);

fn main() {}
