use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let a = Packed::<tiled!(f32[5,5])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[5,5])> = einsum!("iij,jk->iq", a, a);
}
