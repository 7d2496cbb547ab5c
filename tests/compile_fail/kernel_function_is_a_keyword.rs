tensor_layout::sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = call(fn, x[i]) }
}

fn main() {}
