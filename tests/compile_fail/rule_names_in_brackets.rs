//! Names in Shardy's brackets are one mistake; and several mistakes in one rule.
use tensor_layout::sharding_rule;

sharding_rule! { Attention = ([b, q, d], [b, k, d]) -> ([b, q, k]) {b=2, q=8, d=16, k=32} reduction={d} }
sharding_rule! { Several = ([i, k, k], [k, j]) -> ([i, j]) {i=8, k=16, j=0} reduction={i} }
sharding_rule! { Sizes = ([i, k], [k, j]) -> ([i, j]) {i=8, j=4} reduction={k} }
sharding_rule! { Commas = ([i, k], [k, j]) -> ([i, j]) {i=8, j=4, k=16} reduction={k}, blocked_propagation={i} }
sharding_rule! { Python = jnp.einsum("ik,kj->ij") }

fn main() {}
