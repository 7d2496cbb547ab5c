use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = call(|a| a > 0.5, x[i]) + call(missing, x[i]) }
}

fn main() {}
