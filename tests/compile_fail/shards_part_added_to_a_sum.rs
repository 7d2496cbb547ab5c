use tensor_layout::sharding::run::Sharded;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Parts = sharded!(f32[8,16] @ Pod [{"data"}, {}], unreduced={"model"});
type Bias = sharded!(f32[8,16] @ Pod [{"data"}, {}]);

fn residual(parts: &Sharded<Parts>, bias: &Sharded<Bias>) -> Sharded<Parts> {
    parts + bias
}

fn main() {
    let _: fn(&_, &_) -> _ = residual;
}
