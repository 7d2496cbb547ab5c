//! Products of `bf16` are summed up in `f32`.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(bf16[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(bf16[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(bf16[20,40])> = matmul(&a, &b);
}
