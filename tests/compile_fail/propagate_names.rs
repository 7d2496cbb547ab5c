//! Values that do not exist, and operands that a help repeats.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn mlp(x: bf16[64,512] [{"data"}, {}], first: bf16[512,2048] [{}, "model"], second: bf16[512,2048]) {
        let h = dot(x, frist);
        let y = dot(x, w2);
        let z = dot_general(x, second);
        let b = broadcast(second, [8]);
        return h, out;
    }
}
propagate! {
    mesh Pod;
    fn linear(input: f32[64,512], weight: f32[128,512], n: s32[]) {
        let y = dot(input, weight);
        let z = case n { return input; } { return input; };
        return z;
    }
}

fn main() {}
