use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type W = sharded!(f32[32,16] @ Pod [{}, {"model"}]);
type Y = sharded!(f32[8,16] @ Pod [{"data"}, {"model"}]);

fn linear(x: &Sharded<X>, w: &Sharded<W>) -> Result<Sharded<Y>, RunError> {
    x.matmul(w).local()
}

fn main() {
    let _: fn(&_, &_) -> _ = linear;
}
