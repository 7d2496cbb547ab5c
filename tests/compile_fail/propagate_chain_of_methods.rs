//! Methods of methods, operands in brackets, and an attribute of an operation that has a list.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }
propagate! {
    mesh Pod;
    fn f(x: f32[64,512] [{"data"}, {}], w: f32[512,64]) {
        let h = x.dot(w).tanh();
        let i = tanh[x];
        let j = reduce(x, dims = [1]);
        return h, i, j;
    }
}

fn main() {}
