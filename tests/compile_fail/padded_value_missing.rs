use tensor_layout::tiled;

type Bad = tiled!(f32[2,3]{0,1} padded to [3,5] with);

fn main() {}
