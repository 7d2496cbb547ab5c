use tensor_layout::sparse_kernel;

sparse_kernel! { fn target(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y(i) = x[i] } }
sparse_kernel! { fn capital(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = X(i) } }

fn main() {}
