//! `transpose` reverses the dimensions; `relayout` stores the same ones in another order.
use tensor_layout::{Packed, tiled};

fn main() {
    let x = Packed::<tiled!(f32[16,128]{1,0:T(8,128)})>::filled(0.0);
    let _: Packed<tiled!(f32[16,128]{0,1:T(8,128)})> = x.transpose();
}
