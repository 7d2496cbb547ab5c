//! Shardings of parameters behind an `@`, and as a list of Python.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[64,512] @ [{"data"}, {}], w: f32[512,512] [None, None], b: f32[64,512] @ {"data"}, {}) {
        let y = add(dot(x, w), b);
        return y;
    }
}

fn main() {}
