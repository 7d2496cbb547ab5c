//! The result has the sizes of its letters.
use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let a = Packed::<tiled!(f32[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[20,41])> = einsum!("ij,jk->ik", a, b);
}
