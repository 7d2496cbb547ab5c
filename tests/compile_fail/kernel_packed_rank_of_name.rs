use tensor_layout::{sparse_kernel, tpu};

type Weights = tpu!(f32[64,256]);

sparse_kernel! {
    fn f(x: Packed<Weights>[i, j, k]) -> y: Dense<f32>[i] { y[i] = x[i, j, k] }
}

fn main() {}
