struct Bad(tensor_layout::tiled!(entry_computation_layout={(f32[8,128]{1,0:T(8,128)})->f32[8]{0}}));

fn main() {}
