use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Parts = sharded!(f32[8,16] @ Pod [{"data"}, {}], unreduced={"model"});

fn activation(parts: &Sharded<Parts>) -> Result<Sharded<Parts>, RunError> {
    parts.map(f32::tanh)
}

fn main() {
    let _: fn(&_) -> _ = activation;
}
