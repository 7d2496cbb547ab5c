//! A mesh with mistakes causes no others where it is used, and hides none there.
use tensor_layout::{mesh, propagate, sharded};

mesh! { Pod = ["data" = 2, "data" = 4, "model" = 0] }
mesh! { Unread = ("data" = 2) }

type X = sharded!(f32[9,16] @ Pod [{"data"}, {"modle"}]);
type Y = sharded!(f32[8,16] @ Unread [{"data"}, {}]);

propagate! {
    mesh Unread;
    fn f(x: f32[8,16] [{"data"}, {}]) { return tanh(x); }
}

fn main() {
    let _: Option<Y> = None;
}
