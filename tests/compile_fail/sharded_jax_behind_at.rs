//! A sharding of JAX where the mesh is expected.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Named(sharded!(f32[8,16] @ NamedSharding(mesh, P("data", None))));
struct Specified(sharded!(f32[8,16] @ P("data", None)));

fn main() {}
