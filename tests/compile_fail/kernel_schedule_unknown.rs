use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = x[i]; paralel(i) }
}

fn main() {}
