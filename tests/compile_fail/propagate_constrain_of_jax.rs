use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[8,16] [{"data"}, {}], w: f32[16,32]) {
        let h = with_sharding_constraint(x, P("data", None));
        return h;
    }
}

fn main() {}
