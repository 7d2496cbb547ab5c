fn main() {
    let _ = tensor_layout::sharding_rule!(([i, j])->([i]) {j=2, i=3});
}
