use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> s: f64 { s = reduce(|a, b| a < b, 0, x[i]) }
    fn g(x: Dense<f64>[i]) -> s: f64 { s = reduce(f32::max, 0, x[i]) }
}

fn main() {}
