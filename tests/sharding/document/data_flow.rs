//! "Data flow ops".

use super::strategies::{POD, of};
use crate::rows::{rows, text};
use tensor_layout::sharding::program::{Definitions, Program, Shardings};
use tensor_layout::sharding::propagation::Strategy;
use tensor_layout::sharding::{Mesh, MeshType, ShardedLayout};
use tensor_layout::{mesh, propagate};

mesh! { pub(crate) Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn checkpointed(x: f32[64,512] [{"data"}, {}], w: f32[512,512] [{}, {"model"}]) {
        let (y, z) = custom_op(b = x, c = w) {
            let h = dot(b, c);
            let g = tanh(h);
            return g, c;
        };
        let (s, t) = scan(state = y, item = x) : (y, next) -> (s, state), (x, out) -> (item, t) {
            let next = exp(state);
            let out = tanh(item);
            return next, out;
        };
        return s, t, z;
    }
}

fn shardings(program: &str) -> Shardings {
    let mesh: Mesh = POD.parse().expect("a mesh");
    let definitions = Definitions { meshes: vec![mesh], rules: Vec::new() };
    let text = format!("mesh Pod; {program}");
    Program::shardings(&text, &definitions, Strategy::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn program(text: &str) -> Program {
    Program::new(&format!("mesh Pod; {text}"), &Pod::MESH).unwrap_or_else(|error| panic!("{error}"))
}

/// The sharding of each named value.
pub(crate) fn check(program: &str, expected: &[(&str, &str)]) {
    let found = shardings(program);
    for (name, sharding) in expected {
        assert_eq!(of(&found, name), *sharding, "{name} of {program}");
    }
}

#[test]
fn custom_op_has_edges_from_x_to_the_body_argument_and_from_the_return_value_to_y() {
    // Forward into the body, through it, and out of it.
    check(
        r#"fn f(x: f32[8] [{"data"}]) { let y = custom_op(b = x) { let r = tanh(b); return r; }; return y; }"#,
        &[("b", r#"[{"data", ?}]"#), ("r", r#"[{"data", ?}]"#), ("y", r#"[{"data", ?}]"#)],
    );
    // Nothing propagates around the body from one kind of edge to the other.
    check(
        r#"fn f(x: f32[8] [{"data"}]) { let y = custom_op(b = x) { let k = constant(f32[8]); return k; }; return y; }"#,
        &[("b", r#"[{"data", ?}]"#), ("k", ""), ("y", "")],
    );
    let program = program(
        r#"fn f(x: f32[8] [{"data"}], w: f32[8]) { let (y, z) = custom_op(b = x, c = w) { return b, c; }; return y; }"#,
    );
    let text = program.describe();
    for edge in
        ["`b = custom_op(x)`", "`c = custom_op(w)`", "`y = custom_op(b)`", "`z = custom_op(c)`"]
    {
        assert!(text.contains(edge), "{edge} is not in\n{text}");
    }
}

#[test]
fn forward_propagation_is_from_sources_to_targets_and_backward_from_targets_to_sources() {
    check(
        r#"fn f(x: f32[8]) { let y [{"model"}] = custom_op(b = x) { let r = tanh(b); return r; }; return y; }"#,
        &[("r", r#"[{"model", ?}]"#), ("b", r#"[{"model", ?}]"#), ("x", r#"[{"model", ?}]"#)],
    );
    check(
        r#"fn f(x: f32[8]) { let y = custom_op(b = x [{"model"}]) { let r = tanh(b); return r; }; return y; }"#,
        &[("x", r#"[{"model", ?}]"#), ("b", r#"[{"model"}]"#), ("y", r#"[{"model", ?}]"#)],
    );
}

#[test]
fn an_edge_is_a_bridge_so_that_all_sources_and_targets_are_sharded_alike() {
    let program = r#"fn f(x: f32[8], w: f32[8] [{"model"}]) {
        let (y, z) = custom_op(b = x, c = w) : (x, r) -> (y, b), w -> c {
            let r = tanh(b);
            let k = constant(f32[8]);
            return r, k;
        };
        return y;
    }"#;
    for (written, value) in [("x: f32[8]", "x"), ("let y,", "y"), ("b = x", "b")] {
        let placed = match value {
            "y" => program.replace("let (y, z)", r#"let (y [{"data"}], z)"#),
            _ => program.replace(written, &format!("{written} [{{\"data\"}}]")),
        };
        let found = shardings(&placed);
        for name in ["x", "r", "y", "b"] {
            assert!(
                of(&found, name).starts_with(r#"[{"data""#),
                "{name} is not as {value}: {placed}"
            );
        }
        // Edges are orthogonal to each other; `z` has none.
        assert_eq!(of(&found, "c"), r#"[{"model", ?}]"#);
        assert_eq!(of(&found, "z"), "");
    }
}

#[test]
fn a_while_op_has_n_edges_from_x_and_the_return_value_to_y_and_the_body_argument() {
    let body = r#"{ let r = add(b, c); let s = tanh(c); return r, s; };
        return y, z; }"#;
    let loops =
        ["while (b = x, c = w)", "custom_op(b = x, c = w) : (x, r) -> (y, b), (w, s) -> (z, c)"];
    for inputs in [
        r#"x: f32[8,8] [{"data"}, {?}], w: f32[8,8]"#,
        r#"x: f32[8,8], w: f32[8,8] [{?}, {"model"}]"#,
        r#"x: f32[8,8] [{"data"}, {?}], w: f32[8,8] [{"model"}, {"data"}]"#,
    ] {
        let [own, written] =
            loops.map(|op| shardings(&format!("fn f({inputs}) {{ let (y, z) = {op} {body}")));
        assert_eq!(own, written, "{inputs}");
    }
}

#[test]
fn an_optimization_barrier_has_an_edge_from_each_operand_to_its_result() {
    let [own, written] = [
        "let (y, z) = optimization_barrier(x, w);",
        "let (y, z) = custom_op(b = x, c = w) : x -> y, w -> z { return b, c; };",
    ]
    .map(|op| {
        let mut found = shardings(&format!(
            r#"fn f(x: f32[8] [{{"data"}}], w: f32[8]) {{ {op} let t = tanh(z) [{{"model"}}]; return y, t; }}"#
        ));
        found.retain(|(name, _)| !["b", "c"].contains(&&name[..]));
        found
    });
    assert_eq!(own, written);
    assert_eq!(of(&own, "w"), r#"[{"model", ?}]"#);
}

/// The owner is one of the targets, and has the sharding of all of them.
#[test]
fn the_owner_is_a_target_that_the_user_chooses() {
    for edge in ["(x, r) -> (y, b)", "(x, r) -> (b, y)"] {
        let text = format!(
            r#"fn f(x: f32[8] [{{"data"}}]) {{ let y = custom_op(b = x) : {edge} {{ let r = tanh(b); return r; }}; return y; }}"#
        );
        let program = program(&text);
        let owner = if edge.ends_with("(y, b)") { "y" } else { "b" };
        let table = format!("`{owner} = custom_op(x, r)`, `<([i], [i])->([i]) {{i=8}}>`");
        assert!(program.describe().contains(&table), "{}", program.describe());
        assert_eq!(program.value("y").unwrap().sharding, program.value("b").unwrap().sharding);
    }
}

#[test]
fn data_flow_operations_are_types_in_propagate() {
    assert_eq!(checkpointed::b::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
    for found in
        [checkpointed::y::SHARDING, checkpointed::s::SHARDING, checkpointed::state::SHARDING]
    {
        assert_eq!(found.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);
    }
    assert_eq!(checkpointed::t::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
    assert_eq!(<checkpointed::s as ShardedLayout>::DEVICES, 8);
    // The first becomes the edges of a named computation; the other is an operation of its own.
    let mlir = checkpointed::MLIR;
    assert!(
        mlir.contains(r#"%y.all:2 = sdy.named_computation<"custom_op">(%x, %w) in_shardings="#),
        "{mlir}"
    );
    assert!(mlir.contains(r#"%s.all:2 = "scan"(%y, %x) ({"#), "{mlir}");
    assert!(
        mlir.contains(
            r#"{edges = "(y, next) -> (s, state), (x, out) -> (item, t)", sdy.sharding = "#
        ),
        "{mlir}"
    );
}

#[test]
fn a_body_may_take_values_from_outside_and_operations_may_be_nested() {
    check(
        r#"fn f(x: f32[8] [{"data"}], w: f32[8]) {
            let y = outer(a = x) {
                let z = inner(b = a) { let s = add(b, w); return s; };
                return z;
            };
            return y;
        }"#,
        &[("w", r#"[{"data", ?}]"#), ("z", r#"[{"data", ?}]"#), ("y", r#"[{"data", ?}]"#)],
    );
}

#[test]
fn a_value_of_an_edge_may_be_resharded() {
    let program = program(
        r#"fn f(x: f32[8] [{"data"}]) {
            let y = custom_op(b = reshard(x) [{"model"}]) { let r = exp(b); return r; };
            return y;
        }"#,
    );
    assert!(!program.collectives().is_empty());
    let mlir = program.mlir();
    assert!(
        mlir.contains(r#"<"custom_op">(%x.0.for.b) in_shardings=[<@Pod, [{"model"}]>]"#),
        "{mlir}"
    );
}

#[test]
fn mistakes_in_edges_stand_under_their_names() {
    for (op, column, message) in [
        ("custom_op(b = x) : q -> b", "q", "`q` is not an operand, nor does the body return it"),
        ("custom_op(b = x) : x -> q", "q", "`q` is not an argument of the body or a result"),
        ("custom_op(b = x) : x -> b, x -> y", "x -> y", "`x` is the source of two edges"),
        ("custom_op(b = x) : x -> b, r -> b", "b {", "`b` is the target of two edges"),
        (
            "custom_op(b = x, c = v) : (x, v) -> b",
            "x, v",
            "an edge joins values of one size and type: `x` is `f32[8]`, `v` is `f32[4]`",
        ),
        (
            "custom_op(b = x, c = v) : r -> (c, y)",
            "r ->",
            "an edge joins values of one size and type: `r` is `f32[8]`, `v` is `f32[4]`",
        ),
        ("custom_op(b = x) : x b", "b {", "expected `-`, found `b`"),
    ] {
        let text = format!(
            "mesh Pod; fn f(x: f32[8], v: f32[4]) {{ let y = {op} {{ let r = tanh(b); return r; }}; return y; }}"
        );
        let error = Program::new(&text, &Pod::MESH).expect_err("a mistake").to_string();
        assert!(error.contains(message), "{error}");
        let column_of = error.split(':').nth(1).expect("a column");
        let caret = column_of.parse::<usize>().expect("a number") - 1;
        assert!(text[caret..].starts_with(column), "{error}");
    }
    // A body that follows a statement without a semicolon does not belong to that statement.
    let text = "mesh Pod; fn f(x: f32[8]) { let y = tanh(x) let z = while (h = y) { return h; }; return z; }";
    let error = Program::new(text, &Pod::MESH).expect_err("a mistake").to_string();
    assert!(error.contains("expected `;`, found `let`"), "{error}");
}

/// Every row equals what Shardy's passes make of the program, with `sdy.named_computation` for the operations with bodies. The
/// environment variable `SHARDING_ROWS` names another file.
#[test]
fn named_computations_are_as_in_shardy() {
    let own = std::env::var("SHARDING_ROWS").ok().map(|path| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    });
    for row in own.unwrap_or_else(|| rows("sharding_data_flow", 60)) {
        let mesh: Mesh = text(&row, "mesh").parse().expect("a mesh");
        let definitions = Definitions { meshes: vec![mesh], rules: Vec::new() };
        let strategy = match text(&row, "strategy") {
            "basic" => Strategy::Basic,
            "aggressive" => Strategy::Aggressive,
            "op" => Strategy::OpPriority,
            _ => Strategy::UserPriority,
        };
        let found = Program::shardings(text(&row, "program"), &definitions, strategy);
        let found = found.unwrap_or_else(|error| panic!("{error}\n{row}"));
        for (name, expected) in row["expected"].as_object().expect("values") {
            let own = found.iter().find(|(own, _)| own == name);
            let (_, own) = own.unwrap_or_else(|| panic!("no value {name}: {row}"));
            let own = own.as_ref().map(ToString::to_string);
            assert_eq!(own.as_deref(), expected.as_str(), "{name}: {row}");
        }
    }
}
