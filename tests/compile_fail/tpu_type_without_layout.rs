use tensor_layout::tpu;

type Bad = tpu!(c128[3,5]);

fn main() {}
