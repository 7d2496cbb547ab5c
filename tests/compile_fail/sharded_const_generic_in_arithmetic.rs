use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

struct Layer<const ROWS: usize>(sharded!(f32[{ROWS * 2},8] @ Pod [{"data"}, {}]));

fn main() {}
