use tensor_layout::tpu;

type Bad = tpu!(u8[1152921504606846976,128]);

fn main() {}
