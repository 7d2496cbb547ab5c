type Weights = tensor_layout::quantized!(s8[4096,4096]);

fn main() {}
