use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,8] [{"data"}, {}], n: f32[]) {
        let y = while (h = x) cond {
            return n;
        } do {
            return tanh(h);
        };
        let z = case (n) { return y; } { return x; };
        return z;
    }
}

fn main() {}
