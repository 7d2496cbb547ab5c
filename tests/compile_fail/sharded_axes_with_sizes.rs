use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type W = sharded!(f32[64,128] @ Pod [{"data" = 2}, {"model" = 4}]);

fn main() {}
