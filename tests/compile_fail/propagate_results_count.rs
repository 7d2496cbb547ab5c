use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,8]) {
        let y = top_k(x, 2);
        return y;
    }
}

fn main() {}
