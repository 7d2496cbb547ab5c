use tensor_layout::tiled;

type Bad = tiled!(b(f32[8], f32[8]));

fn main() {}
