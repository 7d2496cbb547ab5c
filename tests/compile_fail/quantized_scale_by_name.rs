type Wrong = tensor_layout::quantized!(s8[4,64], scale = f32[1,32]);

fn main() {}
