use tensor_layout::tiled;

type Bad = tiled!(c64[2,3]{0,1} padded to [3,5] with lowest);

fn main() {}
