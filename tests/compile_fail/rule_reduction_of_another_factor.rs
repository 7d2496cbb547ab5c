use tensor_layout::sharding_rule;

fn main() {
    let _ = sharding_rule!((i,k),(k,j)->(i,j) reduction={m});
}
