use tensor_layout::tiled;

type Bad = tiled!(bf16[3,5]{1,0:E(8)});

fn main() {}
