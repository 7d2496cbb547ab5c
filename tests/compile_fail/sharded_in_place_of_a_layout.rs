use tensor_layout::{Packed, mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4] }

type W = sharded!(f32[16,16] @ Pod [{"data"}, {"model"}]);

fn f(_: &Packed<W>) {}

fn main() {}
