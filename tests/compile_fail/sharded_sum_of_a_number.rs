use tensor_layout::sharding::run::Sharded;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);

fn main() {
    let x = Sharded::<X>::filled(1.0).unwrap();
    let _ = x.sum(1);
}
