//! Methods of PyTorch and JAX that have no place here, and those that are functions of elements.
use tensor_layout::{Packed, tpu};

fn f(x: Packed<tpu!(f32[8,128])>) {
    let _ = x.cpu();
    let _ = x.flip();
    let _ = x.pad();
    let _ = x.inverse();
    let _ = x.copy();
}

fn main() {}
