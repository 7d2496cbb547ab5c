use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Features = sharded!(f32[6,24] @ Pod [{}, {"model"}]);
type Heads = sharded!(f32[6,3,8] @ Pod [{}, {}, {"model"}]);

fn heads(features: &Sharded<Features>) -> Result<Sharded<Heads>, RunError> {
    features.reshape()
}

fn main() {
    let _: fn(&_) -> _ = heads;
}
