use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i], p: Dense<u32>[i]) -> y: Dense<f64>[k] { y[p[i]] += x[i] }
}

fn main() {}
