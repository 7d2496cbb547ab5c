use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[n], p: Dense<u32>[m], w: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] = x[p[i + k]] * w[k] }
}

fn main() {}
