tensor_layout::sparse_kernel! {
    #inline fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = x[i] }
}

fn main() {}
