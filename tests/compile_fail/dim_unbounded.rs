use tensor_layout::tiled;

type Bad = tiled!(f32[?,784]);

fn main() {}
