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

/// A module that refers to functions without calls, to declared functions, to aliases and to resources.
const REFERENCES: &str = r##"#loc1 = loc("f.py":1:2)
#map = affine_map<(d0) -> (d0)>
module @jit_f attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["a"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
    %0 = call @ext(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.composite "my.op" %0 {decomposition = @f} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @foo(%1) {called_computations = [@g], layout = #map, weights = dense_resource<w> : tensor<1xf32>} : (tensor<8xf32>) -> tensor<8xf32> loc(#loc1)
    %3 = call @h(%2) : (tensor<8xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
  func.func private @ext(tensor<8xf32> {mhlo.alias = 1 : i32}) -> (tensor<8xf32> {mhlo.other = 2 : i32}) attributes {foreign}
  func.func private @unused(tensor<8xf32>)
  func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.abs %arg0 : tensor<8xf32>
    %1 = call @h(%0) : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @h(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @dead(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.composite "my.op" %arg0 {decomposition = @dead_too} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @dead_too(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F"
    }
  }
#-}
"##;

#[test]
fn what_operations_refer_to_is_printed() {
    let program = Program::from_mlir(REFERENCES).unwrap_or_else(|error| panic!("{error}"));
    // The bodies of these functions are not part of the program.
    assert!(program.values().iter().all(|value| !value.name.starts_with("f.")));
    let pipeline = program.mlir();
    let shared = Program::shared_mlir(REFERENCES).expect("a module");
    let pass = Program::propagate_mlir(REFERENCES, Strategy::Basic, Mode::Normal);
    let pass = pass.expect("a module");
    for text in [&pipeline, &shared, &pass] {
        assert!(text.starts_with("#map = affine_map<(d0) -> (d0)>\nmodule @jit_f "), "{text}");
        let resources = REFERENCES.find("{-#").map(|at| &REFERENCES[at..]);
        assert!(text.ends_with(resources.expect("resources")), "{text}");
        for expected in [
            "\n  func.func private @ext(tensor<8xf32> {mhlo.alias = 1 : i32}) -> (tensor<8xf32> {mhlo.other = 2 : i32}) attributes {foreign}\n",
            "func.func private @f(%arg0: tensor<8xf32>",
            "func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"a\"}]>})",
            "func.func private @h(%arg0: tensor<8xf32>",
        ] {
            assert_eq!(text.matches(expected).count(), 1, "{expected}\n{text}");
        }
    }
    for text in [&pipeline, &shared] {
        assert!(!text.contains("@unused") && !text.contains("@dead"), "{text}");
        assert!(text.contains("%0 = stablehlo.tanh %arg0 {sdy.sharding = "), "{text}");
    }
    let again = Program::from_mlir(&pipeline).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.mlir(), pipeline);
}

#[test]
fn a_call_of_a_function_that_does_not_exist_is_an_error() {
    let text = "func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @relo(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @relu(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}";
    let errors = [
        Program::from_mlir(text).map(|_| ()),
        Program::shared_mlir(text).map(|_| ()),
        Program::propagate_mlir(text, Strategy::Basic, Mode::Normal).map(|_| ()),
    ];
    for error in errors {
        let error = error.expect_err("an unknown function").to_string();
        let expected = "2:8: in `call`: unknown function: @relo (help: did you mean @relu?)";
        assert!(error.starts_with(expected), "{error}");
    }
}

/// `\22` is a quote in MLIR, and `@"a"` is `@a`.
#[test]
fn names_with_escapes_are_read_and_printed_as_they_are() {
    let text = r##"module @"my \22jit\22" {
  sdy.mesh @"m\22x" = <["x,}"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@"m\22x", [{"x,}"}]>}) -> tensor<8xf32> {
    %0 = call @"a\22b"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = call @"c"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = sdy.manual_computation(%1) in_shardings=[<@"m\22x", [{"x,}"}]>] out_shardings=[<@"m\22x", [{"x,}"}]>] manual_axes={"x,}"} (%arg1: tensor<4xf32>) {
      %3 = stablehlo.abs %arg1 : tensor<4xf32>
      sdy.return %3 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @"\61\22b"(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
  func.func private @c(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
"##;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.meshes()[0].0, "m\"x");
    let found = program.mlir();
    for expected in [
        r#"module @"my \22jit\22" {"#,
        r#"sdy.mesh @"m\22x" = <["x,}"=2, "y"=2]>"#,
        r#"%0 = call @"a\22b"(%arg0)"#,
        r#"func.func private @"a\22b"(%arg0: tensor<8xf32>"#,
        r#"<@"m\22x", [{"x,}"}]>"#,
        r#"manual_axes={"x,}"}"#,
        "call @c(%0)",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    let again = Program::from_mlir(&found).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.mlir(), found);
}

#[test]
fn names_in_the_generic_form_are_quoted_where_mlir_requires_it() {
    let text = r##""builtin.module"() <{sym_name = "jit_<lambda>"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "my mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "a\22b", arg_attrs = [{sdy.sharding = #sdy.sharding<@"my mesh", [{"x"}]>}]}> ({
  ^bb0(%arg0: tensor<8xf32>):
    "func.return"(%arg0) : (tensor<8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
"##;
    let found = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}")).mlir();
    for expected in [
        r#"module @"jit_<lambda>" {"#,
        r#"sdy.mesh @"my mesh" = <["x"=2]>"#,
        r#"func.func @"a\22b"(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@"my mesh", [{"x"}]>})"#,
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    let again = Program::from_mlir(&found).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.mlir(), found);
}
