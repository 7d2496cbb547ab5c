fn main() {
    let _ = tensor_layout::sharding_rule!(([i])->([i]) {i=0});
}
