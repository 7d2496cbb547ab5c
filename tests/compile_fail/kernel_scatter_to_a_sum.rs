use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i], p: Dense<u32>[i], z: Dense<f64>[k]) -> y: Dense<f64>[k] { y[p[i] + 1] += x[i] }
}

fn main() {}
