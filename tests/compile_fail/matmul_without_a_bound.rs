//! A function that is generic over layouts must require that they can be multiplied.
use tensor_layout::{Layout, Packed, matmul};

fn linear<A: Layout, B: Layout, C: Layout>(x: &Packed<A>, weights: &Packed<B>) -> Packed<C> {
    matmul(x, weights)
}

fn main() {}
