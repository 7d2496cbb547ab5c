type Weights = tensor_layout::quantized!(q8_0[4096,100]);

fn main() {}
