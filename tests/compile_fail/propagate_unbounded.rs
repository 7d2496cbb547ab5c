use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }

propagate! {
    mesh Pod;
    fn f(x: f32[?,8] [{"data"}, {}], w: f32[8,8]) {
        let y = dot(x, w);
        return y;
    }
}

fn main() {}
