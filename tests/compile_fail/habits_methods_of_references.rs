//! For a reference, rustc names the trait of the methods, and not its message.
use tensor_layout::{Packed, tpu};

fn rank(x: &Packed<tpu!(f32[8,128])>) -> usize {
    x.shape().len()
}

fn main() {}
