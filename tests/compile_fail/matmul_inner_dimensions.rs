//! Rows of `a` have as many elements as columns of `b`.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(bf16[20,30]{1,0:T(8,128)(2,1)})>::zeroed().unwrap();
    let b = Packed::<tiled!(bf16[31,40]{1,0:T(8,128)(2,1)})>::zeroed().unwrap();
    let _: Packed<tiled!(f32[20,40]{1,0:T(8,128)})> = matmul(&a, &b);
}
