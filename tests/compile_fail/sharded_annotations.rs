//! Annotations of GSPMD and HLO, placements of PyTorch, and other quotes.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }
mesh! { Quotes = ["x" = 2, 'y' = 4] }

struct Gspmd(sharded!(f32[8,16] @ Pod mhlo.sharding = "{devices=[2,4]<=[8]}"));
struct Hlo(sharded!(f32[8,16] sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}));
struct Torch(sharded!(f32[8,16] @ Pod [Shard(0), Partial()]));
struct Partial(sharded!(f32[8,16] @ Pod [{"data"}, {}], partial={"model"}));
struct Part(sharded!(f32[8,16] @ Pod [{"model":2}, {}]));
struct Without(sharded!(f32[8,16] Pod [{"data"}, {}]));

fn main() {}
