//! Operands by value, by reference and as views, and letters that are also names around the call.
use tensor_layout::{Layout, Packed, einsum as product, tiled};

type Matrix<const M: usize, const N: usize> = tiled!(f32[M,N]);

macro_rules! through {
    ($text:literal, $($operand:expr),*) => { product!($text, $($operand),*) };
}

fn einsum(a: &Packed<Matrix<2, 3>>) -> &Packed<Matrix<2, 3>> {
    a
}

fn generic<const I: usize, const J: usize>(
    a: &Packed<Matrix<I, J>>,
    b: &Packed<Matrix<J, I>>,
) -> Packed<Matrix<I, I>> {
    product!("ij,jk->ik", a, b)
}

fn main() {
    let i = Matrix::<2, 3>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let j: Packed<Matrix<3, 2>> = through!("ij->ji", i);
    let k: Packed<Matrix<2, 2>> = product!("ij,jk->ik", einsum(&i), j.as_ref(),);
    assert_eq!(k.unpack(), [14.0, 32.0, 32.0, 77.0]);
    assert_eq!(generic(&i, &j), k);
}
