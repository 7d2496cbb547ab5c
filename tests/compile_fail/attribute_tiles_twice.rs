use tensor_layout::tiled;

type Bad = tiled!(bf16[3,5]{1,0:T(8,128)T(2,1)});

fn main() {}
