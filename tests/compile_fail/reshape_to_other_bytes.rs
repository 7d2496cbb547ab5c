//! `reshape` moves no element.
use tensor_layout::{Packed, tiled};

type Rows = tiled!(f32[16,128]{1,0:T(8,128)});

fn main() {
    let _ = Packed::<Rows>::filled(0.0).reshape::<tiled!(f32[8,256]{1,0:T(8,128)})>();
    let _ = Packed::<Rows>::filled(0.0).reshape::<tiled!(f32[2,8,64]{2,1,0:T(8,128)})>();
}
