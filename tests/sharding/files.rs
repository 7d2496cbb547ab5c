//! Programs in files next to the crate, as types.

use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::{mesh, propagate};

propagate!(file "tests/models/mlp.mlir");

propagate! {
    file "tests/models/mlp.mlir";
    /// All values.
    pub(crate) mod whole;
    values = all;
}

mesh! { Pod = ["data" = 4, "model" = 2] }

propagate! {
    file "tests/models/mlp.mlir";
    mesh Pod;
    mod other;
    arg0 [{"model"}, {}];
    arg1 [{}, {?}];
    2 [{"model"}, {"data"}];
    values = ["1"];
}

propagate!(file "tests/models/conflict.mlir", reshard = shardy);

propagate! {
    file "tests/models/conflict.mlir";
    mod resolved;
    arg1 [{"x"}, {}];
}

propagate!(file "tests/golden/stablehlo/block_grad.mlir", reshard = shardy, values = all);

fn sharding<L: ShardedLayout>() -> String {
    L::SHARDING.to_string()
}

#[test]
fn arguments_and_results_are_types() {
    assert_eq!(sharding::<mlp::arg0>(), r#"<@mesh, [{"data"}, {}]>"#);
    assert_eq!(sharding::<mlp::arg2>(), r#"<@mesh, [{"model", ?}, {?}]>"#);
    assert_eq!(sharding::<mlp::result0>(), r#"<@mesh, [{"data", ?}, {?}]>"#);
    assert_eq!(<mlp::result0 as ShardedLayout>::Local::DIMS, [32, 512]);
    assert_eq!(mlp::mesh::MESH.to_string(), r#"<["data"=2, "model"=4]>"#);
    assert_eq!((mlp::COLLECTIVES.len(), mlp::RESHARDS.len()), (1, 0));
    assert_eq!(mlp::COLLECTIVES[0].1, r#"all_reduce {"model"}"#);
    assert_eq!(mlp::BYTES_RECEIVED, mlp::COLLECTIVES[0].2);
    assert!(mlp::MLIR.contains("sdy.sharding_per_value"));
}

#[test]
fn values_are_types_on_request() {
    assert_eq!(<whole::v1 as ShardedLayout>::Local::DIMS, [32, 512]);
    assert_eq!(<whole::v2 as ShardedLayout>::Local::DIMS, [32, 512]);
}

#[test]
fn meshes_and_shardings_are_given_beside_the_file() {
    fn on<L: ShardedLayout<Mesh = Pod>>() -> String {
        sharding::<L>()
    }
    assert_eq!(on::<other::arg0>(), r#"<@Pod, [{"model"}, {}]>"#);
    assert_eq!(on::<other::arg2>(), r#"<@Pod, [{?}, {"data", ?}]>"#);
    assert_eq!(on::<other::v1>(), r#"<@Pod, [{"model", ?}, {?}]>"#);
    assert_eq!(<other::result0 as ShardedLayout>::Local::DIMS, [32, 128]);
}

#[test]
fn conflicts_are_resharded_as_in_shardy_or_resolved() {
    assert_eq!(conflict::RESHARDS.len(), 1);
    assert!(conflict::RESHARDS[0].starts_with("line 3: `add` of `0`"), "{}", conflict::RESHARDS[0]);
    assert!(resolved::RESHARDS.is_empty());
    assert_eq!(sharding::<resolved::arg1>(), r#"<@mesh, [{"x"}, {}]>"#);
}

#[test]
fn whole_training_steps_are_modules() {
    let text = include_str!("../golden/stablehlo/block_grad.mlir");
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sharding::<block_grad::arg0>(), program.parameters()[0].sharding.to_string());
    assert_eq!(block_grad::COLLECTIVES.len(), program.collectives().len());
    assert_eq!(block_grad::RESHARDS.len(), program.conflicts().len());
    assert_eq!(block_grad::MLIR, program.mlir());
}
