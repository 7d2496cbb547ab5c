use tensor_layout::{Packed, einsum, tpu};

fn main() {
    let x = Packed::<tpu!(f32[20,64])>::filled(1.0);
    let w = Packed::<tpu!(f32[64,10])>::filled(1.0);
    let _: Packed<tpu!(f32[20,10])> = einsum!("ij,jk->ik", w, x);
}
