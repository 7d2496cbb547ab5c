use tensor_layout::tiled;

type Bad = tiled!(u8[1152921504606846976,1]{1,0:T(8,128)});

fn main() {}
