//! Two letters for one dimension are one mistake.
use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let a = Packed::<tiled!(f32[5,5])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[5,5])> = einsum!("ij,jk->il", a, a);
    let _: Packed<tiled!(f32[5,5])> = einsum!("ij,lk->ik", a, a);
}
