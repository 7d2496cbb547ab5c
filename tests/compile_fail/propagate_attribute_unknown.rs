use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,8]) {
        let y = dot_general(x, x, lhs_contracting=[1], rhs_contract=[0]);
        return y;
    }
}

fn main() {}
