use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);

fn main() {
    let _ = X::filled(1.0);
    let _ = X::sharding();
}
