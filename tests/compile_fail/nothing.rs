use tensor_layout::tiled;

type Bad = tiled!();

fn main() {}
