//! Operators, missing semicolons, collectives with the names of axes, and the sharding of a result.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn operators(x: f32[8,16], w: f32[16,32]) {
        let h = x @ w;
        let d = dropout(h, 0.1);
        return d;
    }
}
propagate! {
    mesh Pod;
    fn semicolons(x: f32[8,16], w: f32[16,32]) {
        let h = dott(x, w)
        let s = tanhh(h);
        s
    }
}
propagate! {
    mesh Pod;
    fn collectives(x: f32[8,16], w: f32[16,32]) -> [{"data"}, {"model"}] {
        let h = dot(x, w);
        let s = psum(h, "model");
        let g = all_gather(s, "model", axis=1);
        return g;
    }
}

fn main() {}
