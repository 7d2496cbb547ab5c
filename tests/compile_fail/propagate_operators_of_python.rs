//! Expressions of Python, which are read as their translations: what else is wrong with them is an error too.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,16] [{"data"}, {}], w: f32[8,16], b: f32[8,8], s: f32[8,8], v: f32[8]) {
        let a = tanh(x @ w.T + b) * s;
        let c = -(b + s) * b ** s;
        let d = b * s [{"data"}, {}];
        let e = b.T / (s - b) >= s;
        let g = x @ w.T + v;
        let h = rsqrt(x) + y;
        return a, d - c;
    }
}

fn main() {}
