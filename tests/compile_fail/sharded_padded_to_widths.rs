use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "expert" = 8, "wide" = 12] }

type Bad = sharded!(f32[8,16]{1,0} padded to [10,16] @ Pod [{"data"}, {}]);
type Named<const N: usize> = sharded!(f32[N,16]{1,0} padded to [N,16] @ Pod [{"data"}, {}]);

fn main() {}
