use tensor_layout::sharding::ShardedLayout;
use tensor_layout::{Layout, mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

const ROWS: usize = 63;

type Bad = sharded!(f32[{ROWS},8] @ Pod [{"data"}, {}]);

fn main() {
    println!("{}", <Bad as ShardedLayout>::Local::LEN);
}
