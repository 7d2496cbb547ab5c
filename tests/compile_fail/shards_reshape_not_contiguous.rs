use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Rows = sharded!(f32[6,4] @ Pod [{"data"}, {"model"}]);
type Flat = sharded!(f32[24] @ Pod [{"data", "model"}]);

fn flat(rows: &Sharded<Rows>) -> Result<Sharded<Flat>, RunError> {
    rows.reshape()
}

fn main() {
    let _: fn(&_) -> _ = flat;
}
