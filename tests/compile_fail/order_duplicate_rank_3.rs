use tensor_layout::tiled;

type Bad = tiled!(f32[2,3,5]{2,0,2:T(8,128)});

fn main() {}
