tensor_layout::sparse_kernel! {
    fn f(x: Dense<f64>[i, j]) -> y: Dense<f64>[i] { y[i] =+ x[i, j] }
}

fn main() {}
