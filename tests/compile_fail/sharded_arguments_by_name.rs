//! The arguments of JAX by name, a constant in place of an axis, signs behind the mesh, and other brackets.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }
const AXIS: &str = "data";
struct Named(sharded!(bf16[8,16] mesh=Pod, spec=P("data", None)));
struct Constant(sharded!(bf16[8,16] @ Pod [{AXIS}, {"model"}]));
struct Colon(sharded!(bf16[8,16] @ Pod: [{"data"}, {"x"}]));
struct Lists(sharded!(bf16[8,16] @ Pod [["data"], ["model"]]));
struct Braces(sharded!(bf16[8,16] @ Pod {{"data"}, {"model"}}));
struct Commas(sharded!(bf16[8,16] @ Pod [{"data"}, {},,]));

fn main() {}
