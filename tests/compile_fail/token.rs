use tensor_layout::tiled;

type Bad = tiled!(token[]);

fn main() {}
