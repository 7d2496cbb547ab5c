//! The row-major order of two dimensions in an array of three.
use tensor_layout::tiled;

type Bad = tiled!(f32[2,3,4]{1,0:T(8,128)});

fn main() {}
