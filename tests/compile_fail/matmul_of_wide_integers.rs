//! There is no product of matrices of `u8`.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(u8[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(u8[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(s32[20,40])> = matmul(&a, &b);
}
