//! The results of Shardy's passes on modules, each pass on its own and all together, as jaxlib 0.10.2 prints them.

use tensor_layout::sharding::ops::Mode;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::propagation::Strategy;

const MESH: &str = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\n";

/// The lines of the module without those of its meshes.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("sdy.mesh")).collect()
}

fn pipeline(text: &str) -> String {
    Program::from_mlir(&format!("{MESH}{text}")).expect("a module").mlir()
}

#[test]
fn a_constraint_that_nobody_uses_shards_its_operand() {
    let text = pipeline(
        r#"func.func @main(%arg0: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %0 = stablehlo.abs %arg0 : tensor<8x2xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}, {?}]> : tensor<8x2xi32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"b"}, {}]> : tensor<8x2xi32>
  return %2 : tensor<8x2xi32>
}"#,
    );
    assert_eq!(
        lines(&text),
        [
            r#"func.func @main(%arg0: tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {"#,
            r#"  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x2xi32>"#,
            r#"  %1 = sdy.reshard %0 <@mesh, [{"b"}, {}]> : tensor<8x2xi32>"#,
            "  return %1 : tensor<8x2xi32>",
            "}",
        ]
    );
}

/// `@f` calls `@g` before `@main` does, but `@main` comes before `@f`.
#[test]
fn calls_that_are_sharded_alike_take_the_function_that_is_called_first_in_the_module() {
    let text = r#"func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}"#;
    assert_eq!(lines(&pipeline(text)), lines(&text.replace("@g", "@g_0")));
    // Without copies nothing needs a new name.
    let shared = Program::shared_mlir(&format!("{MESH}{text}")).expect("a module");
    assert_eq!(lines(&shared), lines(text));
}

#[test]
fn partial_sums_are_added_up_where_the_result_is_whole() {
    let text = pipeline(
        r#"func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}, %arg1: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.add %0, %0 : tensor<8x4xf32>
  %2 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], unreduced={"b"}>]>} : tensor<8x4xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}"#,
    );
    assert_eq!(
        lines(&text)[2..],
        [
            r#"  %1 = sdy.all_reduce {"b"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>"#,
            r#"  %2 = sdy.all_reduce {"b"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>"#,
            "  %3 = stablehlo.add %1, %2 : tensor<8x4xf32>",
            r#"  %4 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"b"}>]>} : tensor<8x4xf32>"#,
            r#"  %5 = sdy.all_reduce {"b"} %4 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>"#,
            "  return %3, %5 : tensor<8x4xf32>, tensor<8x4xf32>",
            "}",
        ]
    );
}

#[test]
fn members_of_a_group_that_differ_get_constraints_of_one_sharding() {
    let text = pipeline(
        r#"func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"b", ?}]> : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=1183 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=1183 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}"#,
    );
    assert_eq!(
        lines(&text)[1..],
        [
            r#"  %0 = sdy.reshard %arg0 <@mesh, [{}, {"b"}]> : tensor<8x8xf32>"#,
            r#"  %1 = sdy.reshard %0 <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>"#,
            r#"  %2 = sdy.reshard %arg0 <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>"#,
            r#"  %3 = sdy.reshard %2 <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>"#,
            "  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>",
            "}",
        ]
    );
}

/// A pass on its own leaves dimensions open, and functions separate unless edges connect their calls.
#[test]
fn one_pass_alone() {
    let text = |edge: &str| {
        format!(
            r#"{MESH}func.func @main(%arg0: tensor<8xi32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}]>}}) -> tensor<8xi32> {{
  %0 = call @f(%arg0) : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}}
func.func private @f(%arg0: tensor<8xi32>) -> tensor<8xi32> {{
  %0 = sdy.{edge} %arg0 : tensor<8xi32>
  %c = stablehlo.constant dense<1> : tensor<8xi32>
  %1 = stablehlo.add %0, %c : tensor<8xi32>
  return %1 : tensor<8xi32>
}}"#
        )
    };
    for (edge, sharding) in [
        (
            "func_data_flow_edge",
            r#" {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>}"#,
        ),
        ("foreign", ""),
    ] {
        let found = Program::propagate_mlir(&text(edge), Strategy::Basic, Mode::Normal);
        let found = found.expect("a module");
        assert_eq!(lines(&found)[1], "  %0 = call @f(%arg0) : (tensor<8xi32>) -> tensor<8xi32>");
        assert_eq!(
            lines(&found)[4..8],
            [
                "func.func private @f(%arg0: tensor<8xi32>) -> tensor<8xi32> {".to_owned(),
                format!("  %0 = sdy.{edge} %arg0{sharding} : tensor<8xi32>"),
                format!("  %c = stablehlo.constant{sharding} dense<1> : tensor<8xi32>"),
                format!("  %1 = stablehlo.add %0, %c{sharding} : tensor<8xi32>"),
            ]
        );
    }
}
