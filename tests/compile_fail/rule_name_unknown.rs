fn main() {
    let _ = tensor_layout::sharding_rule!(batch i -> i batch, reduction={rows});
}
