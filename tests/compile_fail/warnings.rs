//! What the macros warn about.
#![deny(deprecated)]
use tensor_layout::{layouts, mesh, propagate, sharded, sharding_rule, tiled, tpu};

type Column = tiled!(f32[1024,1]{1,0:T(8,128)});
type Nibbles = tiled!(s4[70000,3]{1,0:T(64,128)(8,1)E(4)});

layouts! { pub type Row = tiled!(bf16[3,70000]{0,1:T(8,128)(2,1)}); }

sharding_rule! { Product = (i,k),(k,j)->(i,j) }

mesh! { Pod = ["data" = 2, "model" = 4] }

type Split = sharded!(f32[2048,1]{1,0:T(8,128)} @ Pod [{"data"}, {}]);

propagate! {
    mesh Pod;
    fn f(x: f32[8,4] [{"data"}, {}]) { return tanh(x); }
}

// None of these is worth a warning.
type Bias = tpu!(f32[10]);
#[allow(deprecated)]
type Wanted = tiled!(f32[1024,1]{1,0:T(8,128)});
sharding_rule! {
    /// The sum of two arrays over their last dimension.
    #[allow(deprecated)]
    Partial = (i,k),(i,k)->(i)
}
sharding_rule! { Sum = (i,k),(k,j)->(i,j) reduction={k} }
propagate! {
    mesh Pod;
    #[allow(deprecated)]
    fn g(x: f32[8,4] [{"data"}, {}]) { return tanh(x); }
}

fn main() {}
