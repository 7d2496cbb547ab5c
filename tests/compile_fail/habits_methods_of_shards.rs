//! Methods of arrays that are split elsewhere, and of results that are not computed yet.
use tensor_layout::sharding::run::Sharded;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }
type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type W = sharded!(f32[16,32] @ Pod [{}, {"model"}]);

fn asked(x: Sharded<X>) {
    let _ = x.shape();
    let _ = x.to_vec();
    let _ = x.all_reduce("data");
    let _ = x.relu();
}

fn not_computed(x: &Sharded<X>, w: &Sharded<W>) {
    let _ = x.matmul(w).relu();
}

fn main() {}
