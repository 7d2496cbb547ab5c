//! The arrays of a product are separated by commas, and are as many as the text has letters for.
use tensor_layout::{Packed, einsum, tiled};

fn products(a: &Packed<tiled!(f32[2,3])>, b: &Packed<tiled!(f32[3,4])>) {
    let _: Packed<tiled!(f32[2,4])> = einsum!("ij,jk->ik", a b);
    let _: Packed<tiled!(f32[2,4])> = einsum!("ij,jk->ik", a, b, a);
    let _: Packed<tiled!(f32[2,2,3])> = einsum!("aab->aab", a);
}

fn main() {}
