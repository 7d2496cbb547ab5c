//! Brackets and braces around tensors, and parentheses around the factors of a list.
use tensor_layout::sharding_rule;

sharding_rule! { Named = [b q d], [b k d] -> [b q k] reduction=(d) }
sharding_rule! { Letters = {i,k},{k,j}->{i,j} reduction={k} }

fn main() {}
