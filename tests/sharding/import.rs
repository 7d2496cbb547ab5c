//! Programs as JAX prints them, read and propagated, compared with the results of Shardy's own pipeline.

use crate::rows::{rows, text};
use std::path::PathBuf;
use tensor_layout::sharding::program::{Overrides, Program};
use tensor_layout::sharding::{AxisRef, DimSharding};

/// Programs in `golden/stablehlo`, which has each as JAX lowers it and as Shardy annotates it.
const PROGRAMS: [&str; 33] = [
    "block_fwd",
    "block_grad",
    "calls",
    "comparators",
    "conflicts",
    "constant_calls",
    "control",
    "conv_grad",
    "convnet_fwd",
    "decode",
    "dropout",
    "dynamic_dims",
    "empty_dims",
    "fft",
    "generic",
    "inline_meshes",
    "linalg",
    "lm_grad",
    "lstm_grad",
    "moe_grad",
    "partial_manual",
    "pieces",
    "reshards",
    "reshards_parts",
    "rnn_grad",
    "scalar_constants",
    "shard_map2",
    "shard_map_fwd",
    "slices",
    "tokens",
    "train_scan",
    "two_meshes",
    "uneven",
];

fn file(name: &str) -> String {
    let directory = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stablehlo"));
    let path = directory.join(format!("{name}.mlir"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn program(text: &str) -> Program {
    Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares a module with what Shardy makes of it, line by line.
fn assert_same(found: &str, expected: &str, name: &str) {
    // jaxlib adds to each mesh what it is in StableHLO.
    let lines = |text: &str| -> Vec<String> {
        let own = |line: &str| match line.starts_with("  sdy.mesh ") {
            true => line.split(" {").next().unwrap_or("").to_string(),
            false => line.to_string(),
        };
        text.trim_end().lines().map(own).collect()
    };
    let (found, expected) = (lines(found), lines(expected));
    for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", line + 1);
    }
    assert_eq!(found.len(), expected.len(), "{name}");
}

#[test]
fn every_value_of_every_program_is_sharded_as_by_shardy() {
    for name in PROGRAMS {
        assert_same(&program(&file(name)).mlir(), &file(&format!("{name}.propagated")), name);
    }
}

#[test]
fn random_modules_of_all_operations_are_sharded_as_by_shardy() {
    for row in rows("sharding_modules_random", 400) {
        let module = text(&row, "module");
        assert_same(&program(module).mlir(), text(&row, "propagated"), module);
    }
}

/// JAX puts the functions that operations name before the one that runs.
#[test]
fn the_program_is_main_wherever_it_is() {
    let program = program(&file("comparators"));
    assert_eq!((program.name(), program.parameters().len()), ("main", 2));
    assert_eq!(program.parameters()[0].local_dims(), [4, 4]);
}

#[test]
fn values_have_names_and_local_sizes() {
    let program = program(&file("shard_map_fwd"));
    assert_eq!((program.name(), program.parameters().len()), ("main", 2));
    let local = |name: &str| program.value(name).map(|value| value.local_dims().to_vec());
    assert_eq!(local("arg0"), Some(vec![64, 1024]));
    // A value of the function `relu`, which is called.
    let of_relu = program.values().iter().find(|value| value.name.starts_with("relu."));
    assert_eq!(of_relu.expect("a value of relu").local_dims(), [32, 1024]);
}

/// A function with these operations.
fn function(body: &str) -> String {
    format!(
        "sdy.mesh @mesh = <[\"data\"=2]>\nfunc.func @main(%arg0: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{\"data\"}}, {{}}]>}}) -> tensor<8x4xf32> {{\n{body}\n}}\n"
    )
}

#[test]
fn both_forms_of_an_operation_are_one() {
    let function =
        |body: &str| function(body).replace(") -> tensor<8x4xf32> {", ") -> tensor<8x8xf32> {");
    let pretty = function(
        "  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>\n  %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>\n  return %1 : tensor<8x8xf32>",
    );
    let generic = function(
        "  %0 = \"stablehlo.transpose\"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<4x8xf32> loc(#loc1)\n  %1 = \"stablehlo.dot_general\"(%arg0, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32> loc(\"f.py\":1:2)\n  \"func.return\"(%1) : (tensor<8x8xf32>) -> ()",
    );
    let local = |text: &str| -> Vec<_> {
        let program = program(text);
        program.values().iter().map(|value| value.sharding.to_string()).collect()
    };
    assert_eq!(local(&pretty), local(&generic));
    assert_eq!(local(&pretty)[2], r#"<@mesh, [{"data", ?}, {?}]>"#);
}

#[test]
fn what_cannot_be_sharded_passes_through() {
    let program = program(&function(
        "  %0 = stablehlo.create_token : !stablehlo.token\n  %1 = stablehlo.custom_call @unknown(%arg0, %0) {has_side_effect = true} : (tensor<8x4xf32>, !stablehlo.token) -> tensor<?x4xf32>\n  %2 = stablehlo.tanh %1 : tensor<?x4xf32>\n  %3 = stablehlo.tanh %arg0 : tensor<8x4xf32>\n  return %3 : tensor<8x4xf32>",
    ));
    assert!(program.value("1").is_none());
    // An operation without its operands has no rule either.
    let lacking = "  %0 = stablehlo.broadcast_in_dim dims = [0] : tensor<8x4xf32>\n  %1 = stablehlo.add %0, %arg0 : tensor<8x4xf32>\n  return %1 : tensor<8x4xf32>";
    let lacking = Program::from_mlir(&function(lacking)).expect("it passes through");
    assert_eq!(lacking.value("0").map(|value| value.local_dims().to_vec()), Some(vec![4, 4]));
    assert_eq!(program.value("2").map(|value| value.local_dims().to_vec()), Some(vec![4, 4]));
}

#[test]
fn mistakes_have_a_position_and_name_the_operation() {
    for (body, expected) in [
        (
            "  %0 = stablehlo.tanh %x : tensor<8x4xf32>",
            "3:23: in `stablehlo.tanh`: `%x` is not defined before",
        ),
        (
            "  %0 = stablehlo.transpose %arg0, dims = [5, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>\n  %1 = stablehlo.custom_call @f(%0) : (tensor<4x8xf32>) -> tensor<8x4xf32>\n  return %1 : tensor<8x4xf32>",
            "3:8: in `stablehlo.transpose`: its attributes do not fit its operands",
        ),
        (
            "  %0 = stablehlo.dot_general %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>",
            "3:8: in `stablehlo.dot_general`: its attributes do not fit its operands",
        ),
        (
            "  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@other, [{}, {}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>",
            "3:8: in `stablehlo.custom_call`: unknown mesh: @other",
        ),
        (
            "  %0 = call @main(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>",
            "3:8: in `call`: the function `@main` calls itself",
        ),
        (
            "  %0 = sdy.manual_computation(%arg0) in_shardings=] : (tensor<8x4xf32>) -> tensor<8x4xf32>",
            "3:51: in `sdy.manual_computation`: expected an opening bracket, found `]`",
        ),
    ] {
        let error = Program::from_mlir(&function(body)).expect_err(body).to_string();
        assert!(error.starts_with(expected), "expected {expected}\nfound {error}");
    }
}

/// Shardy goes backward through elementwise operations before it visits products, also if their rule is written.
#[test]
fn a_written_rule_does_not_change_the_kind_of_an_operation() {
    let module = |rule: &str| {
        format!(
            "sdy.mesh @mesh = <[\"a\"=2]>\nfunc.func @main(%x: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{\"a\"}}, {{}}]>}}, %w: tensor<4x8xf32>) -> (tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{\"a\"}}]>}}) {{\n  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>\n  %1 = stablehlo.tanh %0 {rule}: tensor<8x8xf32>\n  return %1 : tensor<8x8xf32>\n}}"
        )
    };
    let own = "{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} ";
    for rule in ["", own] {
        let program = program(&module(rule));
        let of = |name: &str| program.value(name).map(|value| value.sharding.to_string());
        assert_eq!(of("0").as_deref(), Some(r#"<@mesh, [{?}, {"a", ?}]>"#), "{rule}");
    }
}

#[test]
fn bodies_and_constants_in_each_other_have_a_limit() {
    // Each function calls the next one, and each constant is computed from the one before.
    let mut calls = String::new();
    for at in 0..5000 {
        let visibility = if at == 0 { "public" } else { "private" };
        calls += &format!(
            "func.func {visibility} @f{at}(%arg0: tensor<8xf32>) -> tensor<8xf32> {{\n  %0 = call @f{}(%arg0) : (tensor<8xf32>) -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}}\n",
            at + 1
        );
    }
    calls += "func.func private @f5000(%arg0: tensor<8xf32>) -> tensor<8xf32> {\n  return %arg0 : tensor<8xf32>\n}\n";
    let error = Program::from_mlir(&calls).expect_err("they are too deep").to_string();
    assert!(error.contains("bodies and calls are nested deeper than 128"), "{error}");
    let mut chain = String::from("  %c0 = stablehlo.constant dense<0.0> : tensor<8x4xf32>\n");
    for at in 1..3000 {
        chain += &format!("  %c{at} = stablehlo.abs %c{} : tensor<8x4xf32>\n", at - 1);
    }
    chain += "  %0 = stablehlo.add %arg0, %c2999 : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>";
    let chain = program(&function(&chain));
    assert_eq!(chain.value("c0").map(|value| value.local_dims().to_vec()), None);
    assert_eq!(chain.values().len(), 3002);
    assert!(chain.values().iter().all(|value| value.local_dims() == [4, 4]));
}

#[test]
fn axes_have_origins_and_conflicts_have_lines() {
    let text = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"y\"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
  %1 = stablehlo.abs %0 : tensor<8x4xf32>
  %2 = stablehlo.add %1, %arg1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
";
    let found = program(text);
    let origins = found.origins();
    assert_eq!(origins[0], Vec::<String>::new());
    assert_eq!(origins[2], [r#"{"x"} of dim 0 from `arg0` through `tanh`"#]);
    assert_eq!(origins[3], [r#"{"x"} of dim 0 from `0` through `abs`, written at `arg0`"#]);
    let conflicts: Vec<_> = found.conflicts().iter().map(ToString::to_string).collect();
    assert_eq!(conflicts.len(), 1);
    let disagree = "line 5: `add` of `2`: factor i is";
    assert!(conflicts[0].starts_with(disagree), "{}", conflicts[0]);
    assert!(conflicts[0].contains("`1`") && conflicts[0].contains("`arg1`"), "{}", conflicts[0]);
    // Another mesh, and another sharding of an argument.
    let split = |name: &str, dims: &[usize]| {
        assert_eq!(dims, [8, 4]);
        let axis = AxisRef { name: "x".into(), sub: None };
        let first = DimSharding { axes: vec![axis].into(), ..DimSharding::default() };
        (name == "arg1").then(|| vec![first, DimSharding::default()])
    };
    let mesh = "<[\"x\"=4, \"y\"=2]>".parse().expect("a mesh");
    let overrides = Overrides { mesh: Some(mesh), arguments: Some(&split), values: None };
    let other = Program::from_mlir_with(text, &overrides).unwrap_or_else(|error| panic!("{error}"));
    assert!(other.values().iter().all(|value| value.local_dims() == [2, 4]));
    assert_eq!((other.conflicts().len(), other.collectives().len()), (0, 0));
    let results: Vec<_> = other.results().map(|(value, _)| value.name.as_str()).collect();
    assert_eq!(results, ["2"]);
}

#[test]
fn cut_and_changed_texts_are_errors_or_programs() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("a position")
    };
    for name in
        ["shard_map2", "control", "conv_grad", "moe_grad", "generic", "inline_meshes", "tokens"]
    {
        let text = file(name);
        for _ in 0..60 {
            let mut bytes = text.clone().into_bytes();
            match random(3) {
                0 => bytes.truncate(random(text.len())),
                1 => drop(bytes.remove(random(text.len()))),
                _ => bytes[random(text.len())] = b"{}()[]<>%@\":,=- 0a"[random(18)],
            }
            if let Ok(changed) = String::from_utf8(bytes) {
                let _ = Program::from_mlir(&changed);
            }
        }
    }
}
