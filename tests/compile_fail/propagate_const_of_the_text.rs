use tensor_layout::{mesh, propagate};

mesh! { Ring = ["x" = 4] }

propagate! {
    mesh Ring;
    const MLIR = 8;
    const N = 4;
    const N = 8;
    fn f(x: f32[MLIR, N] [{"x"}]) {
        return x;
    }
}

fn main() {}
