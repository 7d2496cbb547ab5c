//! The index of an element is one array: one error for both brackets.
use tensor_layout::{Packed, tpu};

fn main() {
    let mut x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    println!("{}", x[0][1]);
    x[0][1] = 2.0;
}
