use tensor_layout::tiled;

type Bad = tiled!(f32[ROWS,5]);

fn main() {}
