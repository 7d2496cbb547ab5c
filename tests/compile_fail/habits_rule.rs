tensor_layout::sharding_rule! { Matmul = (i k, k j) -> (i j) }

fn main() {}
