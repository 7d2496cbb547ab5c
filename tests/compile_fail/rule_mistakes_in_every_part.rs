use tensor_layout::sharding_rule;

sharding_rule! { Product = (i,k),(k,j)=>(i,j), i=2x, reduction={k,m} }

fn main() {}
