use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,8]) {
        let y = manual {"data"} (a = x [{"model", "data"}, {}]) {
            return a [{"data"}, {}];
        };
        return y;
    }
}

fn main() {}
