use tensor_layout::{sparse_kernel, tpu};

sparse_kernel! {
    fn f(x: Packed<tpu!(f32[64,256])>[i]) -> y: Dense<f32>[i] { y[i] = x[i] }
}

fn main() {}
