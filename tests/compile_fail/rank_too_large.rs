use tensor_layout::tiled;

type Bad = tiled!(f32[1,2,3,4,5,6,7,8,9]{8,7,6,5,4,3,2,1,0});

fn main() {}
