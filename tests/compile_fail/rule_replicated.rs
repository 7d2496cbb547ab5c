//! What shardings call `replicated`, rules call `need_replication`.
tensor_layout::sharding_rule! { Softmax = (i, j) -> (i, j) replicated={j} }

fn main() {}
