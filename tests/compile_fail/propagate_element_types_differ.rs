use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,4], y: bf16[8,4], p: s32[8,4], i: f32[]) {
        let a = add(x, y);
        let b = tanh(p);
        let c = select(p, x, x);
        let d = dynamic_slice(x, i, i, [4,4]);
        return x;
    }
}

fn main() {}
