fn main() {
    let _ = tensor_layout::sharding_rule!(([i, u])->([i]) {i=2, j=3});
}
