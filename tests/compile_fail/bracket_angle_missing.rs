use tensor_layout::tiled;

type Bad = tiled!(F32[3,5]<1,0:T(2,2));

fn main() {}
