use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2 "model" = 4] }
type Weights = sharded!(bf16[8,16] @ Pod [{"data"}, {"model"}]);

fn main() {
    println!("{}", Weights::SHARDING);
}
