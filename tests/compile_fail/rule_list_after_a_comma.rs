use tensor_layout::sharding_rule;

fn main() {
    let _ = sharding_rule!(i j, j k -> i k, reduce={j});
}
