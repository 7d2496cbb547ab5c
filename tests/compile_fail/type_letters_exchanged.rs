//! Of several names that are as near, the one with the same letters is meant, or the one of which a letter is missing.
use tensor_layout::{mesh, propagate, tiled};

mesh! { Pod = ["data" = 2] }
struct Missing(tiled!(b16[8,128]));
struct Exchanged(tiled!(flaot[8,128]));
propagate! {
    mesh Pod;
    fn f(x: f32[8] [{"data"}]) { let y = tahn(x); return y; }
}

fn main() {}
