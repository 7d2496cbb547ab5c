//! The order of the dimensions has no brackets of its own.
use tensor_layout::tiled;

struct Square(tiled!(f32[8,128]{[1,0]:T(8,128)}));
struct Round(tiled!(f32[8,128]{(1,0)}));

fn main() {}
