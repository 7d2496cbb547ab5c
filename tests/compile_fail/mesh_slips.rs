//! Mistakes in meshes, and in what is split over them.
use tensor_layout::{mesh, sharded};

mesh! { Torus = ["x" = 4, y = 4] }
mesh! { Ring = ["x": 8] }

struct Twice(sharded!(f32[64,512] @ Torus [{"x"}, {"x"}]));
struct Unknown(sharded!(f32[63,512] @ Torus [{"x"}, {"z"}]));
struct Listed(sharded!(f32[64,512] @ Ring [{"x"}, {"y"}], replicate={"x"}));

fn main() {}
