type Weights = tensor_layout::quantized!(f8e4m3fn[4096,4096] by f32[128,128]);

fn main() {}
