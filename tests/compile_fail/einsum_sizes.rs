//! A letter has one size in all arrays.
use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let q = Packed::<tiled!(f32[4,20,64])>::zeroed().unwrap();
    let k = Packed::<tiled!(f32[4,30,65])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[4,20,30])> = einsum!("bqd,bkd->bqk", q, k);
}
