use tensor_layout::{Packed, einsum, tiled};

const TEXT: &str = "ij,jk->ik";

fn main() {
    let a = Packed::<tiled!(f32[5,5])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[5,5])> = einsum!(TEXT, a, a);
}
