//! What the macros warn about.
#![deny(deprecated)]
use tensor_layout::{layouts, mesh, propagate, sharded, sharding_rule, sparse_kernel, tiled, tpu};

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

sparse_kernel! {
    fn residual(a: Dense<f64>[i, j], x: Dense<f64>[j], b: Dense<f64>[i]) -> r: Dense<f64>[i] { r[i] = b[i] - a[i, j] * x[j] }
    fn several(a: Dense<f64>[i, j], n: Dense<u32>[i]) -> (s: f64, y: Dense<f64>[i]) { s = a[i, j] + 1; y[n[i]] += a[i, j] + i; size(i, 4) }
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

sparse_kernel! {
    fn once(a: Dense<f64>[i, j], x: Dense<f64>[j], b: Dense<f64>[i]) -> r: Dense<f64>[i] { let t[i] = a[i, j] * x[j]; r[i] = b[i] - t[i] }
    fn broadcast(a: Dense<f64>[i, j], b: Dense<f64>[i]) -> c: Dense<f64>[i, j] { c[i, j] = a[i, j] - b[i] }
    fn least(a: Dense<f64>[i, j], d: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] min= a[i, j] + d[i] }
    #[allow(deprecated)]
    fn wanted(a: Dense<f64>[i, j], b: Dense<f64>[i]) -> r: Dense<f64>[i] { r[i] = b[i] - a[i, j] }
}

fn main() {}
