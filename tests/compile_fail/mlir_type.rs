use tensor_layout::tiled;

type Bad = tiled!(tensor<128x256xbf16>);

fn main() {}
