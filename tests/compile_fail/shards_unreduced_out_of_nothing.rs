use tensor_layout::sharding::run::threads::Threads;
use tensor_layout::sharding::run::{RunError, Sharded, Transport};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type W = sharded!(f32[16,32] @ Pod [{}, {}]);
type Y = sharded!(f32[8,32] @ Pod [{"data"}, {}], unreduced={"model"});

fn linear<T: Transport>(t: &mut T, x: &Sharded<X>, w: &Sharded<W>) -> Result<Sharded<Y>, RunError> {
    x.matmul(w).on(t)
}

fn main() {
    let _: fn(&mut Threads, &_, &_) -> _ = linear;
}
