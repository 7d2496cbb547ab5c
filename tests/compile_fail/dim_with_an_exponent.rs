use tensor_layout::tpu;

type Bad = tpu!(f32[1e3,0b1000]);

fn main() {}
