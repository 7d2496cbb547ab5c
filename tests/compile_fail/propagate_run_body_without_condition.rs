use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    run;
    mesh Pod;
    fn f(x: f32[8,8] [{"data"}, {}]) {
        let y = while (h = x) {
            return tanh(h);
        };
        return y;
    }
}

fn main() {}
