use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8], w: f32[4]) {
        let y = while (h = x) {
            return w;
        };
        return y;
    }
}

fn main() {}
