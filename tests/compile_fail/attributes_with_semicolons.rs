//! Nothing stands between two attributes.
use tensor_layout::tiled;

type Bad = tiled!(f32[8,128]{1,0:T(8,128);S(1)});

fn main() {}
