//! A parameter twice, and a colon in place of the equals sign.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }
propagate! {
    mesh Pod;
    fn f(x: f32[64,512] [{"data"}, {}], x: f32[512,64]) {
        let h = dot(x, x);
        let y: tanh(h);
        return y;
    }
}

fn main() {}
