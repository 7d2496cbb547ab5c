//! A function is called with an array of another size.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2] }

propagate! {
    mesh Pod;
    fn block(x: f32[64,512], w: f32[512,512]) {
        return dot(x, w);
    }
    fn net(x: f32[64,512] [{"data"}, {}], w: f32[256,512]) {
        let y = block(x, w);
        return y;
    }
}

fn main() {}
