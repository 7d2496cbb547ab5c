use tensor_layout::tiled;

type Bad = tiled!(bf17[3,5]);

fn main() {}
