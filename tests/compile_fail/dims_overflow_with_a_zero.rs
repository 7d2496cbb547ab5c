use tensor_layout::tiled;

type Bad = tiled!(f32[4294967296,4294967296,0]);

fn main() {}
