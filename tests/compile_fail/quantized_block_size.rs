type Weights = tensor_layout::quantized!(s8[4096,4096] by f16[1,48]);

fn main() {}
