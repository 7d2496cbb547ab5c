//! Steps of an epilogue come before the product is rounded.
use tensor_layout::{Packed, Product, tpu};

type X = tpu!(f32[8,128]);
type W = tpu!(f32[128,16]);
type Y = tpu!(f32[8,16]);

fn layer(x: &Packed<X>, w: &Packed<W>) -> Packed<Y> {
    let y = Product::of(x, w).packed::<Y>();
    let _ = y.column_bias(&[0.5; 16]);
    Product::of(x, w).packed::<Y>().activation(|y| y.max(0.0))
}

fn main() {}
