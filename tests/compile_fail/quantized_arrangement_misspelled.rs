struct Bad(tensor_layout::quantized!(s8[4096,4096] by f16[1,32] in block));

fn main() {}
