//! A loop over storage takes both arrays in the same order.
use tensor_layout::half::bf16;
use tensor_layout::{Packed, tiled};

type Wide = tiled!(f32[1000,300]{1,0:T(8,128)});
type Narrow = tiled!(bf16[1000,300]{1,0:T(8,128)(2,1)});

fn main() {
    let wide = Packed::<Wide>::zeroed().unwrap();
    wide.convert::<Narrow>(bf16::from_f32);
}
