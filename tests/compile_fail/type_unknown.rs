use tensor_layout::tiled;

type Bad = tiled!(tensor[3,5]);

fn main() {}
