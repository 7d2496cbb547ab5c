use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,8] [{"data"}, {}], y: f32[8,8] [{"model"}, {}], z: pred[8,8]) {
        let w = select(reshard(z), x, y);
        return w;
    }
}

fn main() {}
