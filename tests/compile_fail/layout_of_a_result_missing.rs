//! The layout of a result is a type that the program gives.
use tensor_layout::{Packed, matmul, tpu};

fn main() {
    let x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    let w = Packed::<tpu!(f32[128,4])>::filled(1.0);
    let y = matmul(&x, &w);
    y.total();
}
