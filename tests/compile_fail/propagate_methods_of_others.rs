//! Methods with a size of -1, with a closure, and of no operation.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[64,512] [{"data"}, {"model"}]) {
        let a = x.reshape(-1, 1024);
        let b = x.map(|v| v * v);
        let c = x.normalized(0);
        let d = x.negative();
        return a, b, c, d;
    }
}

fn main() {}
