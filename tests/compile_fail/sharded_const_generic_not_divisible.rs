use tensor_layout::sharding::ShardedLayout;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

fn rows<const N: usize>() -> usize {
    <sharded!(f32[N,8] @ Pod [{"model"}, {}]) as ShardedLayout>::Local::DIMS[0]
}

fn main() {
    assert_eq!(rows::<64>(), 16);
    assert_eq!(rows::<66>(), 17);
}
