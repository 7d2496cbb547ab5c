use tensor_layout::tpu;

type Bad = tpu!(f6e2m3fn[3,5]);

fn main() {}
