type Weights = tensor_layout::quantized!(s8[4,64,64] by f16[1,32]);

fn main() {}
