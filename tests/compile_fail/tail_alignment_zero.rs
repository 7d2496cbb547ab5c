use tensor_layout::tiled;

type Bad = tiled!(f32[10]{0:T(8)L(0)});

fn main() {}
