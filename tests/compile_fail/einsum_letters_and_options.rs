//! Letters of other alphabets and of another case, options, lists, and three operands.
use tensor_layout::{Packed, einsum, tpu};

type A = tpu!(f32[20,20]);

fn main() {
    let a = Packed::<A>::filled(1.0);
    let _: Packed<A> = einsum!("αβ,γβ->αγ", a, a);
    let _: Packed<A> = einsum!("ij,kj->iK", a, a);
    let _: Packed<A> = einsum!("ij,kj->ik", [&a, &a], optimize=true);
    let _: Packed<A> = einsum!("ij,jk,kl->il", a, a, a);
}
