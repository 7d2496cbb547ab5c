use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Bad(sharded!(f32[16,16] @ Pod [{"data"p1}, {}]));

fn main() {}
