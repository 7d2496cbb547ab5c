//! Other signs between tensors, before the results, and before sizes: what follows is read.
use tensor_layout::sharding_rule;

sharding_rule! { Semicolon = b q d; b k d -> b q k reduction={e} }
sharding_rule! { Arrow = b q d, b k d > b q k reduction={e} }
sharding_rule! { Sizes = ([i, k], [k, j])->([i, j]) {i:2, j:8, k:4} reduction={l} }
sharding_rule! { Comma = ([i, k], [k j])->([i, j]) {i=2, j=8, k=0} reduction={k} }

fn main() {}
