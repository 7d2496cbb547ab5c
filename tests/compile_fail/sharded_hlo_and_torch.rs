//! Shardings as HLO prints them, and PyTorch.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Tiles(sharded!(f32[16,16] @ Pod {devices=[2,4]<=[8]}));
struct Replicated(sharded!(f32[16,16] @ Pod {replicated}));
struct Placements(sharded!(f32[16,16] @ Pod (Shard(0), Partial())));

fn main() {}
