//! A power is a number, or a call of Rust.
use tensor_layout::tiled;

const N: usize = 2;

struct Caret(tiled!(f32[2^10,128]));
struct Stars(tiled!(f32[8,N**2]));

fn main() {}
