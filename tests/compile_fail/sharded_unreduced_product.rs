use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "expert" = 8, "wide" = 12] }

type Bad = sharded!(f32[8,8] @ Pod [{}, {}], unreduced=prod{"data"});

fn main() {}
