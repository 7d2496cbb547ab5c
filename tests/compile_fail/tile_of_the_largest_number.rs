//! No number stands for `*`.
use tensor_layout::tiled;

fn main() {
    let _: Option<tiled!(f32[8,16]{1,0:T({usize::MAX},4)})> = None;
}

