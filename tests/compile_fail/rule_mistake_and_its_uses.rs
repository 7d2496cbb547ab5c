//! A rule with a mistake causes no further errors where it is used.
use tensor_layout::{mesh, propagate, sharding_rule};

mesh! { Pod = ["data" = 2] }
sharding_rule! { Attention = b q d, b k d -> b q k reduction={dd} }
sharding_rule! { Scores: b q d, b k d -> b q k reduction={d} }
propagate! {
    mesh Pod;
    fn f(q: f32[8,4,16] [{"data"}, {}, {}], k: f32[8,4,16]) {
        let s = attention(q, k) : Attention;
        let t = scores(q, k) : Scores;
        return s, t;
    }
}

fn main() {}
