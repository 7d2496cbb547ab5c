//! The mesh follows the array.
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Comma(sharded!(Pod, f32[8,16], [{"data"}, {}]));
struct At(sharded!(@Pod f32[8,16]{1,0} [{"data"}, {}]));

fn main() {}
