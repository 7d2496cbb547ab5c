use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type Scores = sharded!(f32[8,16] @ Pod [{"data"}, {"model"}]);

fn weights(scores: &Sharded<Scores>) -> Result<Sharded<Scores>, RunError> {
    scores.softmax::<1>()
}

fn main() {
    let _: fn(&_) -> _ = weights;
}
