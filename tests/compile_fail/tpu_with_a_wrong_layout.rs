use tensor_layout::tpu;

type Weights = tpu!(bf16[128,256]{1,0,2});

fn main() {}
