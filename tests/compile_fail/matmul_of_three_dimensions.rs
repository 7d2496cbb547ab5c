//! Two batches of matrices and their product have the same number of batch dimensions.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(f32[4,20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[20,40])> = matmul(&a, &b);
    let c = Packed::<tiled!(f32[2,4,30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[2,4,20,40])> = matmul(&a, &c);
}
