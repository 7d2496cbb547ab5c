//! The sizes of a batch dimension are equal, or one of them is 1.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(f32[4,20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[3,30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[4,20,40])> = matmul(&a, &b);
}
