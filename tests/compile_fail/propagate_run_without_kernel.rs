use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    run;
    mesh Pod;
    fn f(x: f32[8,8] [{"data"}, {}]) {
        let y = sort(x, 1);
        let z = reverse(tanh(y), [0]);
        let s = sort(y, 1);
        return cbrt(convert(z, type=c64));
    }
}

fn main() {}
