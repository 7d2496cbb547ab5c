use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,4]) {
        let y = while (h = x) {
            let k = convert(h, type=bf16);
            return k;
        };
        return y;
    }
}

fn main() {}
