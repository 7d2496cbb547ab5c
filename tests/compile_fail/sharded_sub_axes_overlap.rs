use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "expert" = 8, "wide" = 12] }

type Bad = sharded!(f32[64,64] @ Pod [{"expert":(1)4}, {"expert":(2)4}]);

fn main() {}
