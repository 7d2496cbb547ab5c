//! A sum of arrays of two types, and a sum of elements in another type.
use tensor_layout::sharding::run::ops::Dims1;
use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type Y = sharded!(bf16[8,16] @ Pod [{"data"}, {}]);
type Sums = sharded!(f64[8] @ Pod [{"data"}]);

fn add(x: &Sharded<X>, y: &Sharded<Y>) -> Sharded<X> {
    x + y
}

fn sums(x: &Sharded<X>) -> Result<Sharded<Sums>, RunError> {
    x.sum::<Dims1<1>>().local()
}

fn main() {}
