//! Shardings as PyTorch, JAX and HLO write them.
use tensor_layout::{mesh, propagate, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Torch(sharded!(bf16[8,16] @ Pod [Shard(0), Replicate()]));
struct List(sharded!(bf16[8,16] @ Pod [{"data"}, {}], replicate={"model"}));
struct Bare(sharded!(bf16[8,16] @ Pod [{"data"}, {}], unreduced="model"));
struct Comma(sharded!(bf16[8,16] @ Pod [{"data"}, {}] replicated={"model"}));
struct Open(sharded!(bf16[8,16] @ Pod [{"data"}, {..}]));
struct Last(sharded!(bf16[8,16] @ Pod [{"data", }, {}]));
struct Twice(sharded!(bf16[8,16] @ @Pod [{"data"}, {}]));

propagate! {
    mesh Pod;
    fn modules(x: f32[8,16], w: f32[16,32]) {
        let y = torch.matmul(x, w);
        let z = jnp.maximum(y, y);
        return z;
    }
}
propagate! { mesh Pod; def python(x: f32[8,16]) { return x; } }
propagate! { mesh = Pod; fn equals(x: f32[8,16]) { return x; } }

fn main() {}
