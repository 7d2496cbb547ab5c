fn main() {
    let _ = tensor_layout::sharding_rule!(([i, j])->([i]) {i=2, j=3} reduction={j} permutation={j});
}
