use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }
mesh! { Ring = ["x" = 6] }

propagate! {
    mesh Pod;
    mesh Ring;
    fn f(x: f32[8] @Ring [{"x"}]) {
        return x;
    }
}

fn main() {}
