//! The text behind the arrays, without quotes, and arrays in a list.
use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let a = Packed::<tiled!(f32[4,5])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[5,6])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[4,6])> = einsum!(a, b, "ij,jk->ik");
    let _: Packed<tiled!(f32[4,6])> = einsum!(ij,jk->ik, a, b);
    let _: Packed<tiled!(f32[4,6])> = einsum!("ij,jk->ik", [a, b]);
}
