use tensor_layout::tiled;

const ROWS: usize = 8;

type Bad = tiled!(f32[ROWS * 2, 128]);

fn main() {}
