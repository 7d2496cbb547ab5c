//! Two functions, neither of which calls the other.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }

propagate! {
    mesh Pod;
    fn first(x: f32[64] [{"data"}]) {
        return exp(x);
    }
    fn second(x: f32[64] [{"data"}]) {
        return tanh(x);
    }
}

fn main() {}
