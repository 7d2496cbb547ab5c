tensor_layout::sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = call(|a: f64, x[i]) }
    fn g(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = x[i] }
}

fn main() {}
