use tensor_layout::tpu;

type Bad = tpu!(bf16[1000,384]{1,0:T(8,128)(2,1)});

fn main() {}
