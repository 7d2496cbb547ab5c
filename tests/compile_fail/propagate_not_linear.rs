use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8] [{"data"}], unreduced={"model"}) {
        let y = tanh(x) [{"data"}], unreduced={"model"};
        return y;
    }
}

fn main() {}
