fn main() {
    let _ = tensor_layout::sharding_rule!(i j, j k);
}
