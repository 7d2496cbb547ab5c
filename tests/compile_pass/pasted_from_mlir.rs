//! Meshes, shardings and rules copied from MLIR modules.

tensor_layout::mesh! { sdy.mesh @mesh = <["data"=2, "model"=4]> }

tensor_layout::sharding_rule! {
    Product = #sdy.op_sharding_rule<([i, k],[k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}>
}

type W = tensor_layout::sharded!(f32[16,16] #sdy.sharding<@mesh, [{"data"}, {"model", ?}]>);

fn main() {
    assert_eq!(W::SHARDING.to_string(), r#"<@mesh, [{"data"}, {"model", ?}]>"#);
    let rule = tensor_layout::sharding_rule!(#sdy.op_sharding_rule<([i, k],[k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}>);
    assert_eq!(rule, Product::rule());
}
