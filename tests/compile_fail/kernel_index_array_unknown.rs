use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[n], perm: Dense<u32>[i]) -> y: Dense<f64>[i] { y[i] = x[p[i]] }
}

fn main() {}
