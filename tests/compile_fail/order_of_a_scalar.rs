use tensor_layout::tiled;

type Bad = tiled!(f32[]{0});

fn main() {}
