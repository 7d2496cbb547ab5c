use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,4]) {
        let y = x.tanh();
        return y;
    }
}

fn main() {}
