//! Sizes as Rust, MLIR and Python write them, and expressions without braces.
use tensor_layout::{sharded, tiled, tpu};

const SIZES: [usize; 2] = [8, 128];
const fn rows() -> usize {
    8
}
tensor_layout::mesh! { Pod = ["data" = 2] }

struct Rust(tiled!([f32; 8, 128]{1,0}));
struct Mlir(tpu!(8x128xbf16));
struct Inferred(tiled!(f32[_,128]{1,0:T(8,128)}));
struct Call(tiled!(f32[rows(),128]{1,0:T(8,128)}));
struct Element(tpu!(f32[SIZES[0],128]));
struct Tile(tiled!(f32[8,128]{1,0:T(rows(),128)}));
struct Split(sharded!(f32[_,128] @ Pod [{"data"}, {}]));

fn main() {}
