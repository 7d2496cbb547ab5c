use tensor_layout::{mesh, propagate};

mesh! { Ring = ["x" = 4] }

propagate! {
    mesh Ring padded;
    fn f(x: f32[6] [{"x"}]) {
        let y = reshape(x, [2, 3]);
        return y;
    }
}

fn main() {}
