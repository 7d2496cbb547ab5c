//! Letters that no product can have.
use tensor_layout::{Packed, einsum, tiled};

type Matrix = tiled!(f32[20,20]);

fn main() {
    let a = Packed::<Matrix>::zeroed().unwrap();
    let _: Packed<Matrix> = einsum!("ij,jk->iz", a, a);
    let _: Packed<Matrix> = einsum!("ii,ik->ik", a, a);
    let _: Packed<Matrix> = einsum!("ij,jk->k", a, a);
    let _: Packed<Matrix> = einsum!("...ij,jk->ik", a, a);
    let _: Packed<Matrix> = einsum!("ij,jk", a, a);
    let _: Packed<Matrix> = einsum!("ij,jk,kl->il", a, a, a);
    let _: Packed<Matrix> = einsum!("ij,jk->ik", a);
    let _: Packed<Matrix> = einsum!(a, a);
}
