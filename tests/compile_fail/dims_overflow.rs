use tensor_layout::tiled;

type Bad = tiled!(f32[9223372036854775807,2]);

fn main() {}
