use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,4], w: f32[4,2]) {
        let y = matmul(x, w);
        return y;
    }
}

fn main() {}
