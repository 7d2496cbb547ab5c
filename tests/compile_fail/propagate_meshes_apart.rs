use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 4] }
mesh! { Back = ["data" = 4], device_ids = [3, 2, 1, 0] }

propagate! {
    mesh Pod;
    mesh Back;
    fn f(x: f32[8] [{"data"}], y: f32[8] @ Back [{"data"}]) {
        let z = add(x, y);
        let w = neg(x) @ Back [{"data"}];
        return x;
    }
}

fn main() {}
