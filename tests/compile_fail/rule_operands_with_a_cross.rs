//! A comma goes between two operands.
tensor_layout::sharding_rule! { Product = (i, k) x (k, j) -> (i, j) reduction={k} }

fn main() {}
