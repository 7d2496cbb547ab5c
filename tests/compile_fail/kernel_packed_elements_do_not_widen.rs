use tensor_layout::{sparse_kernel, tpu};

sparse_kernel! {
    fn f(x: Packed<tpu!(s32[64,256])>[i, j]) -> y: Packed<tpu!(bf16[64])>[i] { y[i] = x[i, j] }
}

fn main() {}
