use tensor_layout::{Packed, einsum, tpu};

fn main() {
    let a = Packed::<tpu!(f32[20,64])>::filled(1.0);
    let s = einsum!("ij,kj->ik", a, a);
    println!("{s:?}");
}
