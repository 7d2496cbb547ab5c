use tensor_layout::tpu;

type Bad = tpu!(bf16[1000,384] padded to [1024,384] with zero);

fn main() {}
