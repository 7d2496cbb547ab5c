use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{1,1});

fn main() {}
