//! The product has the rows of `a` and the columns of `b`.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(f32[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[40,20])> = matmul(&a, &b);
}
