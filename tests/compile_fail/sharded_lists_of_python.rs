//! Shardings as lists and tuples of Python, and a dense type of MLIR.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type List = sharded!(f32[64,128] @ Pod ["data", None]);
type Pair = sharded!(f32[64,128] @ Pod [("data", "model"), None]);
type Tuple = sharded!(f32[64,128] @ Pod ("data", "model"));
type Braces = sharded!(f32[64,128] @ Pod {"data", "model"});
type Dense = sharded!(tensor<8x16xbf16> @ Pod [{"data"}, {}]);
type Named = sharded!(f32[64,128], NamedSharding(Pod, P(("data", "model"), None)));
type Behind = sharded!(f32[64,128], P("data"));

fn main() {}
