//! There is no product of matrices of `s16`.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(s16[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(s16[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(s32[20,40])> = matmul(&a, &b);
}
