use tensor_layout::{Packed, matmul, tpu};

fn main() {
    let x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    let w = vec![1.0_f32; 128 * 4];
    let _: Packed<tpu!(f32[8,4])> = matmul(&x, &w);
}
