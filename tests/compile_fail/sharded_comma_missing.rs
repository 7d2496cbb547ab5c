use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Bad = sharded!(f32[8,4] @ Pod [{"data"} {}]);

fn main() {}
