fn main() {
    let _ = tensor_layout::sharding_rule!(([a])->([i]) {i=2});
}
