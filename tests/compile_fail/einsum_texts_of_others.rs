//! Brackets around arrays, numbers as letters, other signs, and NumPy's numbers of dimensions.
use tensor_layout::{Packed, einsum, tiled};

fn main() {
    let a = Packed::<tiled!(f32[5,5])>::zeroed().unwrap();
    let _: Packed<tiled!(f32[5,5])> = einsum!("[i,j],[j,k]->[i,k]", a, a);
    let _: Packed<tiled!(f32[5,5])> = einsum!("01,12->02", a, a);
    let _: Packed<tiled!(f32[5,5])> = einsum!("ij,jk-ik", a, a);
    let _: Packed<tiled!(f32[5,5])> = einsum!("ij*jk->ik", a, a);
    let _: Packed<tiled!(f32[5,5])> = einsum!(a, [0, 1], a, [1, 2], [0, 2]);
    let _: Packed<tiled!(f32[5,5])> = einsum!("ij,jk->ik" a a);
}
