use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 4] }
mesh! { Last = [], device_ids = [3] }

propagate! {
    mesh Pod;
    mesh Last;
    fn f(x: f32[8] [{"data"}]) {
        let y = reshard(x) @ Last [];
        return x;
    }
}

fn main() {}
