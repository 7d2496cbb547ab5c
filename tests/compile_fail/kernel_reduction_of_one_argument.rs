use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> s: f64 { s = reduce(|a| a, 0, x[i]) }
    fn g(x: Dense<f64>[i]) -> s: f64 { s = reduce(f64::abs, 0, x[i]) }
}

fn main() {}
