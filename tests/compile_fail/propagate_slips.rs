//! Each mistake in a program is an error.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod
    fn f(x: f32[8,16] [{"data"}, {}]) {
        let h = tanh(x)
        let y = exp(h);
        retrun y;
    }
}

fn main() {}
