//! A program has no closures.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn rust(x: f32[8,16] [{"data"}, {"model"}]) {
        let h = map(x, |v| v * 2.0);
        return h;
    }
}
propagate! {
    mesh Pod;
    fn python(x: f32[8,16] [{"data"}, {"model"}]) {
        let h = map(lambda v: v * v, x);
        return h;
    }
}

fn main() {}
