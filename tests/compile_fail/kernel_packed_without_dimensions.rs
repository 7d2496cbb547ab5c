use tensor_layout::{sparse_kernel, tpu};

type Weights = tpu!(f32[64,256]);

sparse_kernel! {
    fn f(x: Packed<Weights>) -> y: Dense<f32>[i] { y[i] = x[i, j]; size(i, 64); size(j, 256) }
}

fn main() {}
