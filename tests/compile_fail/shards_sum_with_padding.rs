use tensor_layout::sharding::run::{RunError, Sharded, ops::Dims1};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[10,16] @ Pod [{"model"}, {}], padded);
type Sums = sharded!(f32[16] @ Pod [{}], unreduced={"model"});

fn sums(x: &Sharded<X>) -> Result<Sharded<Sums>, RunError> {
    x.sum::<Dims1<0>>().local()
}

fn main() {
    let _: fn(&_) -> _ = sums;
}
