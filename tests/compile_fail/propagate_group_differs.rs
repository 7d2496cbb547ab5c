use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8] [{"data"}], y: f32[8] [{"model"}]) {
        group(x, y);
        return x, y;
    }
}

fn main() {}
