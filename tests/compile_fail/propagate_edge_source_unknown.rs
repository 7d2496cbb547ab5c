use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8] [{"data"}], v: f32[4]) {
        let y = custom_op(b = x, c = v) : (x, q) -> (y, b) {
            let r = tanh(b);
            return r;
        };
        return y;
    }
}

fn main() {}
