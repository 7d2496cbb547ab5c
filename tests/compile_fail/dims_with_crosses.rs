use tensor_layout::tiled;

type Bad = tiled!(f32[128x256]{1,0:T(8,128)});

fn main() {}
