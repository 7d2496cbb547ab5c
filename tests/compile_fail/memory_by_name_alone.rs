//! A memory space is an attribute with a number.
use tensor_layout::tiled;

type Bad = tiled!(f32[8,128]{1,0:T(8,128)VMEM});

fn main() {}
