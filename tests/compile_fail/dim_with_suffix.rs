use tensor_layout::tiled;

type Bad = tiled!(f32[3usize,5]);

fn main() {}
