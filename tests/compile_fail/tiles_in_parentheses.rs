struct Bad(tensor_layout::tiled!(bf16[64,64]{1,0:T((8,128),(2,1))}));

fn main() {}
