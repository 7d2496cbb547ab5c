//! Methods of the result of another method keep it as their operand.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[64,512] [{"data"}, {}], w: f32[512,128], b: f32[64,128]) {
        let a = x.matmul(w).relu();
        let c = x.matmul(w).silu();
        let d = x.matmul(w).sum(dim=1);
        let e = x.sum(-1);
        let g = silu(dot(x, w));
        let h = x.linear(w, b);
        return a, c, d, e, g, h;
    }
}

fn main() {}
