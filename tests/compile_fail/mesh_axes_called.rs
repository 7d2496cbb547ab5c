//! Axes as calls, and in several lists.
use tensor_layout::{mesh, sharded};

mesh! { Called = [data(2), model(4)] }
mesh! { Product = ["data" = 2] x ["model" = 4] }
mesh! { Pod = ["data" = 2, "model" = 4] }

struct Alone(sharded!(f32[8,16] @ Pod [{"data"}, {}], replicated));

fn main() {}
