use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[4,8,16], w: f32[4,16,32]) {
        let h = dot_general(x, w, (((2,), (1,)), ((0,), (0,))));
        let g = dot_general(x, w, dimension_numbers=(((2,), (1,)), ((0,), (0,))));
        return h, g;
    }
}

fn main() {}
