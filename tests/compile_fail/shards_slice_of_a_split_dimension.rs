use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type Part = sharded!(f32[4,16] @ Pod [{"data"}, {}]);

fn part(x: &Sharded<X>) -> Result<Sharded<Part>, RunError> {
    x.slice([2, 0])
}

fn main() {
    let _: fn(&_) -> _ = part;
}
