use tensor_layout::sparse_kernel;

type Real = f32;

// What `Real` stands for only rustc knows.
sparse_kernel! {
    fn f(x: Dense<f64>[n], p: Dense<Real>[i]) -> y: Dense<f64>[i] { y[i] = x[p[i]] }
}

fn main() {}
