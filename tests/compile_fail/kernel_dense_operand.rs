//! A dense operand is borrowed, and has elements of the type that the kernel names.
tensor_layout::sparse_kernel! {
    fn sum(x: Dense<f64>[i]) -> s: f64 { s += x[i] }
}

fn main() {
    let _ = sum(vec![1.0; 3]);
    let _ = sum(&[1.0_f32; 3]);
}
