use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,4]) {
        let mut y = tanh(x);
        return y;
    }
}

fn main() {}
