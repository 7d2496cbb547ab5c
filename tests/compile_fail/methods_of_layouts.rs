//! Functions of a layout that are called as methods of an array, and methods of an array that are called as functions of a layout.
use tensor_layout::{Packed, tpu};

type X = tpu!(f32[8,128]);

fn main() {
    let x = Packed::<X>::filled(1.0);
    let _ = x.offset([3, 4]);
    let _ = X::unpack(&x);
    let _ = x.T();
}
