//! Rules with other brackets, separators and lists.
use tensor_layout::sharding_rule;

sharding_rule! { Colon: (i, j) -> (j, i) }

fn main() {
    let _ = sharding_rule!(([i, j], [j, k])->[i, k]);
    let _ = sharding_rule!((i, j), (j, k)->(i, k) reduction=j);
    let _ = sharding_rule!((i, j), (j, k)->(i, k), reduction(j));
    let _ = sharding_rule!((i, j) * (j, k)->(i, k) reduction={j});
    let _ = sharding_rule!(... i, i k -> ... k);
}
