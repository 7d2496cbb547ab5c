use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "expert" = 8, "wide" = 12] }

type Bad = sharded!(f32[64,8] @ Pod [{"expert":(1)2, "expert":(2)2}, {}]);

fn main() {}
