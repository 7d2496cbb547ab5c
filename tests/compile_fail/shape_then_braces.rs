use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{});

fn main() {}
