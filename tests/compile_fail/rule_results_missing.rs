//! Neither an arrow nor results, a list without its factors, and sizes that are not numbers.
use tensor_layout::sharding_rule;

sharding_rule! { Results = b q d, b k d reduction={d} }
sharding_rule! { Factors = b q d, b k d -> b q k reduction }
sharding_rule! { Sizes = (i j) k -> i j k, i=N, j=2.5 }
sharding_rule! { Unused = (i j) k -> i j k, m=2, j=4 }
sharding_rule! { Called = format!("ij,jk->ik") }

fn main() {}
