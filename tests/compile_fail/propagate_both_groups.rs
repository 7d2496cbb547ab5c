use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[4,8,6], w: f32[4,8,3]) {
        let y = convolution(x, w, input=[0,1,2], kernel=[0,1,2], output=[0,1,2], batch_groups=2, feature_groups=2);
        return y;
    }
}

fn main() {}
