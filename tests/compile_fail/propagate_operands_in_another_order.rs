//! The help for an operation of another library contains the operands in our order.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(h: f32[8,16], low: f32[8,16], high: f32[8,16], weight: f32[16,8]) {
        let a = clip(h, low, high);
        let b = reciprocal(h);
        let c = linear(h, weight, low);
        let d = relu(h);
        return d;
    }
}

fn main() {}
