use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

const ROWS: usize = 8;

propagate! {
    mesh Pod;
    fn f(x: f32[ROWS,{ROWS * 2}] [{"data"}, {}]) {
        return x;
    }
}

fn main() {}
