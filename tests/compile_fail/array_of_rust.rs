struct Bad(tensor_layout::tiled!([[f32; 5]; 3]));

fn main() {}
