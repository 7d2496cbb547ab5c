use tensor_layout::tiled;

type Bad = tiled!(opaque[]);

fn main() {}
