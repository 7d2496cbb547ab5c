use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[16,4,8]) {
        let y = all_gather(x, [7,4,8]);
        let z = all_to_all(x, [100,200,8], split=0, concat=1);
        return x;
    }
}

fn main() {}
