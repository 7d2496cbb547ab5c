use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Bad = sharded!(bf16[8,4,2,4] @ Pod [{data}, "model", None, {"data"}q], replicated={model});

fn main() {}
