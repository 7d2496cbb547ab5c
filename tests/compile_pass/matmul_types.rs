//! Both matrices hold elements of one type.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(bf16[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[20,40])> = matmul(&a, &b);
}
