use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Colon(sharded!(f32[16,16] @ Pod [{"model"(1)2}, {}]));
struct Comma(sharded!(f32[16,16] @ Pod [{"model":(1,2)}, {}]));

fn main() {}
