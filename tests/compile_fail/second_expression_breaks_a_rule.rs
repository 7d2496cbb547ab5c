//! The error points at the wrong one of several expressions.
use tensor_layout::tiled;

const N: usize = 3;

fn main() {
    let _: Option<tiled!(f32[{ N + 1 },5]{1,0:T({ N - 3 },2)})> = None;
}
