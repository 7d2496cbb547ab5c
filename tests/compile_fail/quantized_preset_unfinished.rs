//! A name with which only one preset begins.
type Bad = tensor_layout::quantized!(q8[64,64]);

fn main() {}
