use tensor_layout::{sparse_kernel, tpu};

sparse_kernel! {
    fn f(a: Dense<f32>[i], x: Packed<tpu!(f32[64,256])>[i, j]) -> y: Dense<f32>[i] { y[i] = a[i] }
}

fn main() {}
