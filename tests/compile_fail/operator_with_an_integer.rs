//! The numbers of an array of floats have a point.
use tensor_layout::{Packed, tpu};

fn add(x: &Packed<tpu!(f32[8,128])>) -> Packed<tpu!(f32[8,128])> {
    x + 1
}

fn scale(x: Packed<tpu!(f32[8,128])>) -> Packed<tpu!(f32[8,128])> {
    x * 2
}

fn main() {}
