use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@Pod, [{"data"}, {}]>}) {
        return x;
    }
}

fn main() {}
