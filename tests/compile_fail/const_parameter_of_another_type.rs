//! Sizes are of type `usize`.
use tensor_layout::{Packed, tiled};

fn rows<const N: u32>(_: &Packed<tiled!(f32[N,128])>) {}

fn main() {}
