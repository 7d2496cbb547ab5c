use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Bad = sharded!(bf16[8,4] @ Pod P("data", None));

fn main() {}
