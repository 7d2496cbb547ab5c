struct Bad(tensor_layout::tiled!(f32[3,5]{1,O:T(8,128)}));

fn main() {}
