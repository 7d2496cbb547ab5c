use tensor_layout::sharding_rule;

sharding_rule! { Attention = (batch q d, batch k d) -> (batch q k) reduction={d} }
sharding_rule! { Split = ((i j) k, k l) -> (i j l) reduction={k} }

fn main() {}
