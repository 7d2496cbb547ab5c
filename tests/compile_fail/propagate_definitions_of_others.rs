//! Definitions with another sign, and sizes without brackets.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,16], w: f32[16,8]) {
        y := dot(x, w);
        let z = reshape(x, 4, 32);
        return z;
    }
}

fn main() {}
