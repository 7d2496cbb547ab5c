use tensor_layout::tiled;

type Bad = tiled!(f32[18446744073709551616]);

fn main() {}
