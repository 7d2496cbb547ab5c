use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(x: Dense<f64>[i]) -> s: f64 { s = reduce(f64::max, f32::NEG_INFINITY, x[i]) }
}

fn main() {}
