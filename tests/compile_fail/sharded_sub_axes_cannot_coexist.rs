use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "expert" = 8, "wide" = 12] }

type Bad = sharded!(f32[64,66] @ Pod [{"wide":(1)2}, {"wide":(3)2}]);

fn main() {}
