use tensor_layout::tpu;

type Bad = tpu!(f32[?,128]);

fn main() {}
