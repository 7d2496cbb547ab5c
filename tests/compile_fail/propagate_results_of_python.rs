//! Several results without parentheses, a tuple of results, methods, and the sizes of a list without brackets.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[64,512] [{"data"}, {}], w: f32[512,64]) {
        let h = x.dot(w);
        let v, i = top_k(h, 8);
        let r = reshape(h, 64, 8, 8);
        return (v, r);
    }
}

fn main() {}
