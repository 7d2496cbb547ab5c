tensor_layout::sparse_kernel! {
    fn f(x: Dense<>[i]) -> y: Dense<f64>[i] { y[i] = x[i] }
}

fn main() {}
