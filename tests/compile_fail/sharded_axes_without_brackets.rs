//! Axes in tuples, without brackets, and a mesh after a word.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Tuple = sharded!(f32[64,128] @ Pod [("data", "model"), {}]);
type Braces = sharded!(f32[64,128] @ Pod {"data"}, {"model"});
type Word = sharded!(f32[64,128] on Pod [{"data"}, {}]);

fn main() {}
