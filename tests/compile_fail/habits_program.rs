//! Statements that Rust and NumPy allow.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }

propagate! {
    mesh Pod;
    fn result(x: f32[64,512]) -> f32[64,512] { return x; }
}

propagate! {
    mesh Pod;
    fn tuple(x: f32[64,512]) { return transpose(x, (1, 0)); }
}

propagate! {
    mesh Pod;
    fn inferred(x: f32[64,512]) { return reshape(x, [64, -1]); }
}

propagate! {
    mesh Pod;
    fn broadcast(x: f32[64,512], b: f32[512]) { return add(x, b); }
}

fn main() {}
