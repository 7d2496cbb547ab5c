//! Methods of block-scaled arrays in other libraries.
use tensor_layout::{Packed, quantized, tpu};

type W = quantized!(q8_0[4,64]);

fn main() {
    let w = W::pack(&[0.5_f32; 256]).unwrap();
    let x = Packed::<tpu!(f32[2,64])>::filled(1.0);
    let _ = w.dequantize();
    let _ = w.shape();
    let _ = w.matmul(&x);
    let _ = w.scales();
    let _ = W::quantize(&[0.5_f32; 256]);
}
