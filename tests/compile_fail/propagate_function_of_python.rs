use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    def f(x: f32[64,512], w: f32[512,512]):
        h = x @ w
        return h
}

fn main() {}
