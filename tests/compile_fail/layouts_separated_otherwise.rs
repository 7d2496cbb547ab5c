//! Definitions end with semicolons, and are aliases of layouts.
use tensor_layout::layouts;

layouts! {
    pub type Hidden = tiled!(bf16[8,1024]{1,0:T(8,128)(2,1)}),
    pub type Logits = f32[8,32000]{1,0:T(8,128)},
    const N: usize = 8;
    let B = tiled!(f32[8,128]);
    pub Mask = tiled!(pred[8,8]);
}

fn main() {}
