use tensor_layout::sharding::run::{RunError, Sharded, Transport};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }
mesh! { Ring = ["x" = 8] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type Y = sharded!(f32[8,16] @ Ring [{"x"}, {}]);

fn moved<T: Transport>(x: &Sharded<X>, transport: &mut T) -> Result<Sharded<Y>, RunError> {
    x.reshard(transport)
}

fn main() {}
