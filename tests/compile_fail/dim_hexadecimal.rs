use tensor_layout::tiled;

type Bad = tiled!(f32[0x10,5]);

fn main() {}
