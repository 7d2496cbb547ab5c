use tensor_layout::tiled;

type Bad = tiled!(token[3]);

fn main() {}
