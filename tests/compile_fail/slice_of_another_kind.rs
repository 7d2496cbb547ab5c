//! Parts of arrays with another number of dimensions, or other elements.
use tensor_layout::{Packed, tiled};

fn main() {
    let x = Packed::<tiled!(f32[16,128]{1,0:T(8,128)})>::filled(0.0);
    let _ = x.slice::<tiled!(bf16[8,64])>([0, 0]);
    let _ = x.slice::<tiled!(f32[64])>([0, 0]);
}
