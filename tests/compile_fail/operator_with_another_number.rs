//! The right side of an operator is a number of the element type, or an array of the same shape.
use tensor_layout::{Packed, tiled};

fn scaled(x: &Packed<tiled!(s32[8,128])>) -> Packed<tiled!(s32[8,128])> {
    x * 2.5
}

fn biased(x: &Packed<tiled!(f32[8,128])>, row: &Packed<tiled!(f32[128])>) -> Packed<tiled!(f32[8,128])> {
    x + row
}

fn main() {}
