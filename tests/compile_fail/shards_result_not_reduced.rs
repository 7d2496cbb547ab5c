use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {"model"}]);
type W = sharded!(f32[16,32] @ Pod [{"model"}, {}]);
type Y = sharded!(f32[8,32] @ Pod [{"data"}, {}]);

fn linear(x: &Sharded<X>, w: &Sharded<W>) -> Result<Sharded<Y>, RunError> {
    x.matmul(w).local()
}

fn main() {
    let _: fn(&_, &_) -> _ = linear;
}
