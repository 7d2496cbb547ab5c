type Weights = tensor_layout::quantized!(s8[4096,4096] by f8e8m0fnu[1,32]);

fn main() {}
