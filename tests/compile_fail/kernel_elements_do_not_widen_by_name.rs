type Weight = f64;

tensor_layout::sparse_kernel! {
    fn f(x: Dense<Weight>[i]) -> s: f32 { s += x[i] }
}

fn main() {}
