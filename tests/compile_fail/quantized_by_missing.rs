struct Bad(tensor_layout::quantized!(s4[4096,4096], f16[1,32]));

fn main() {}
