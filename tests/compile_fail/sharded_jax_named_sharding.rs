use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Bad = sharded!(bf16[8,4] NamedSharding(Pod, P(("data", "model"), None)));

fn main() {}
