type Weights = tensor_layout::quantized!(q8_o[4096,4096]);

fn main() {}
