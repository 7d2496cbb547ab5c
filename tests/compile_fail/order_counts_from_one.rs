use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{2,1:T(8,128)});

fn main() {}
