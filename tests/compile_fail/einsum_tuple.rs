//! The arrays follow the text one by one.
use tensor_layout::{Packed, einsum, tpu};

fn main() {
    let a = Packed::<tpu!(f32[8,16])>::filled(1.0);
    let b = Packed::<tpu!(f32[16,4])>::filled(1.0);
    let _: Packed<tpu!(f32[8,4])> = einsum!("ij,jk->ik", (a, b));
}
