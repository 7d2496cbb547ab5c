use tensor_layout::sharding_rule;

fn main() {
    sharding_rule!("ij,jk->ik");
}
