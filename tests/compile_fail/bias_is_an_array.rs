//! The numbers of an epilogue are a slice.
use tensor_layout::{Packed, Product, tpu};

fn layer(x: &Packed<tpu!(f32[8,128])>, w: &Packed<tpu!(f32[128,16])>, bias: &Packed<tpu!(f32[16])>) -> Packed<tpu!(f32[8,16])> {
    Product::of(x, w).column_bias(bias).packed()
}

fn main() {}
