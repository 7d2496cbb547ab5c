type Bad = tensor_layout::tiled!(f32[3;5]{1,0});

fn main() {}
