//! Operators between calls, updates of elements, and attributes that an operation does not have.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,16], w: f32[16,8], b: f32[8,8]) {
        let y = dot(x, w) + b;
        let z = b * tanh(dot(x, w));
        let u = x.at[0].set(b);
        let v = dot(x, w, precision="highest");
        let s = tanh(x, where=b);
        return y;
    }
}

fn main() {}
