use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{1,0:T8,128});

fn main() {}
