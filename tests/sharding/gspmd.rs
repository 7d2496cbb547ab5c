//! Programs that were lowered for GSPMD, with HLO shardings.

use tensor_layout::sharding::HloSharding;
use tensor_layout::sharding::program::Program;

fn program(text: &str) -> Program {
    Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A program with one argument of this size and sharding.
fn one(dims: &[usize], sharding: &str) -> String {
    let ty: String = dims.iter().map(|size| format!("{size}x")).collect();
    format!(
        "func.func @main(%arg0: tensor<{ty}f32> {{mhlo.sharding = \"{sharding}\"}}) -> tensor<{ty}f32> {{\n  %0 = stablehlo.tanh %arg0 : tensor<{ty}f32>\n  return %0 : tensor<{ty}f32>\n}}\n"
    )
}

#[test]
fn arguments_are_split_over_the_devices_as_in_hlo() {
    for sharding in [
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "{devices=[4,2]<=[8]}",
        "{devices=[4,2]<=[2,4]T(1,0)}",
        "{devices=[2,4]<=[2,2,2]T(1,0,2)}",
        "{devices=[6,35]<=[7,10,3]T(2,1,0)}",
        "{devices=[2,1,2,2]<=[8] last_tile_dims={unreduced, replicated}}",
        "{devices=[1,4,2]<=[8] last_tile_dims={unreduced}}",
        "{maximal device=3}",
    ] {
        let found = program(&one(&[420, 420], sharding));
        let value = found.value("arg0").expect("the argument");
        assert_eq!(value.shards().hlo().to_string(), sharding);
        let hlo: HloSharding = sharding.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(hlo.to_string(), sharding);
        assert!(!found.mlir().contains("mhlo.sharding"), "{}", found.mlir());
    }
    // Version 1 lists the devices.
    let listed = program(&one(&[8, 8], "{devices=[2,2]0,1,2,3}"));
    assert_eq!(
        listed.value("0").expect("a value").shards().hlo().to_string(),
        "{devices=[2,2]<=[4]}"
    );
}

#[test]
fn all_shardings_share_one_mesh() {
    let text = include_str!("../golden/stablehlo/gspmd.mlir");
    let found = program(text);
    let mesh = found.meshes()[0].1.to_string();
    assert_eq!(mesh, r#"<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>"#);
    let sharding = |name: &str| found.value(name).map(|value| value.sharding.to_string());
    assert_eq!(sharding("arg0").as_deref(), Some(r#"<@mesh, [{"_axis_0"}, {}]>"#));
    assert_eq!(sharding("arg1").as_deref(), Some(r#"<@mesh, [{}, {"_axis_1", "_axis_2"}]>"#));
    assert_eq!(
        sharding("1").as_deref(),
        Some(r#"<@mesh, [{"_axis_0", "_axis_1", "_axis_2"}, {}]>"#)
    );
    let result = found.results().next().map(|(_, sharding)| sharding.to_string());
    assert_eq!(result.as_deref(), Some(r#"<@mesh, [{"_axis_0", "_axis_1"}, {}]>"#));
    // Its output is a program for Shardy.
    let again = program(&found.mlir());
    assert_eq!(again.value("1").map(|value| value.sharding.to_string()), sharding("1"));
}

#[test]
fn operations_of_several_results_and_what_has_no_sharding() {
    let text = r#"func.func @main(%arg0: tensor<8x4xf32> {mhlo.sharding = "{manual}"}, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.custom_call @two(%arg1) {mhlo.sharding = "{{devices=[2,1]<=[2]}, {replicated}}"} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %1 = stablehlo.add %0#0, %arg1 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
"#;
    let found = program(text);
    let local = |name: &str| found.value(name).map(|value| value.local_dims().to_vec());
    let two: Vec<_> = found.values().iter().filter(|value| value.name.starts_with("0")).collect();
    assert_eq!((two[0].local_dims(), two[1].local_dims()), (&[4, 4][..], &[8, 4][..]));
    assert_eq!((local("arg0"), local("1")), (Some(vec![8, 4]), Some(vec![4, 4])));
    let whole = program(&one(&[8, 4], "{replicated}"));
    assert_eq!(whole.value("0").map(|value| value.local_dims().to_vec()), Some(vec![8, 4]));
}

#[test]
fn mistakes_in_shardings_of_hlo() {
    for (sharding, expected) in [
        ("{devices=[2,1]<=[4]}", "expected 2 devices, as there are parts"),
        ("{devices=[2,2]<=[2,2]T(0,0)}", "the order is not a permutation of 2 dimensions"),
        ("{devices=[2,2,2]<=[8]}", "is not the sharding of a tensor of rank 2"),
        ("{devices=[4,9]<=[6,6]}", "split the devices in ways that no mesh has"),
        (
            "{devices=[2,2]0,2,1,3}",
            "the devices are listed in an order that is not that of their numbers",
        ),
        ("{devices=[0,2]<=[0]}", "expected 1 to 4294967295 devices"),
        ("{split}", "a sharding `split` does not name its devices"),
        (
            "{devices=[1,2]<=[2] last_tile_dims={manual}}",
            "expected `{replicated}`, `{unreduced}` or both",
        ),
        ("{devices=[99999999999999999999]<=[2]}", ""),
        ("{devices", "expected `=`"),
    ] {
        let error = Program::from_mlir(&one(&[8, 36], sharding)).expect_err(sharding).to_string();
        assert!(error.contains(expected), "{sharding}: expected {expected}\nfound {error}");
    }
}

#[test]
fn unspecified_dimensions_of_a_constraint_are_open() {
    let constraint = |config: &str, sharding: &str| {
        format!(
            "func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n  %0 = stablehlo.custom_call @Sharding(%arg0) {{{config}mhlo.sharding = \"{sharding}\"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}}\n"
        )
    };
    let rows = "{devices=[8,1,4]<=[32] last_tile_dim_replicate}";
    for (config, sharding, expected) in [
        ("", rows, r#"<@mesh, [{"_axis_0"}, {}]>"#),
        (r#"backend_config = "", "#, rows, r#"<@mesh, [{"_axis_0"}, {}]>"#),
        (r#"backend_config = "unspecified_dims=[1]", "#, rows, r#"<@mesh, [{"_axis_0"}, {?}]>"#),
        (
            r#"backend_config = "unspecified_dims=[0, 1]", "#,
            rows,
            r#"<@mesh, [{"_axis_0", ?}, {?}]>"#,
        ),
        // A dimension that the tensor does not have.
        (r#"backend_config = "unspecified_dims=[1,7]", "#, rows, r#"<@mesh, [{"_axis_0"}, {?}]>"#),
    ] {
        let found = program(&constraint(config, sharding));
        let own = found.value("0").map(|value| value.sharding.to_string());
        assert_eq!(own.as_deref(), Some(expected), "{config}");
    }
}

/// An operation on one device has a sharding for each part of a tuple, and no mesh is needed for the others.
#[test]
fn a_tuple_of_one_device_and_whole_tensors() {
    let text = r#"func.func @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.custom_call @two(%arg0) {mhlo.sharding = "{{maximal device=0}, {replicated}}"} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %0#0 : tensor<8x4xf32>
}
"#;
    let found = program(text);
    let shardings: Vec<_> = found.values().iter().map(|value| value.sharding.to_string()).collect();
    assert_eq!(shardings[1], "<@maximal_mesh_0, []>");
    assert_eq!(program(&found.mlir()).mlir(), found.mlir());
}
