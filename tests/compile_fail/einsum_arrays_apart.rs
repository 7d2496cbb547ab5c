//! Commas separate the arrays of a product, one array for each group of letters.
use tensor_layout::{Packed, einsum, tiled};

fn products(a: &Packed<tiled!(f32[2,3])>, b: &Packed<tiled!(f32[3,4])>) {
    let _: Packed<tiled!(f32[2,4])> = einsum!("ij,jk->ik", a b);
    let _: Packed<tiled!(f32[2,4])> = einsum!("ij,jk->ik", a, b, a);
    let _: Packed<tiled!(f32[2,2,3])> = einsum!("aab->aab", a);
}

fn main() {}
