use tensor_layout::sharding::run::Sharded;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type Other = sharded!(f32[8,16] @ Pod [{}, {}]);

fn add(x: &Sharded<X>, other: &Sharded<Other>) -> Sharded<X> {
    x + other
}

fn main() {
    let _: fn(&_, &_) -> _ = add;
}
