use tensor_layout::{Packed, matmul, tpu};

type X = tpu!(f32[20,64]);
type W = tpu!(f32[64,10]);

fn main() {
    let x = X::pack(&[0.5; 20 * 64]);
    let w = W::pack(&[1.0; 64 * 10]);
    let _: Packed<tpu!(f32[20,10])> = matmul(&x, &w.unwrap());
}
