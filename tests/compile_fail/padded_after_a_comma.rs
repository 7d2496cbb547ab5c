use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{1,0}, padded to [4,8] with zero);

fn main() {}
