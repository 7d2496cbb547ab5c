type Weights = tensor_layout::quantized!(q8_0[4096,4096] by f16[1,32]);

fn main() {}
