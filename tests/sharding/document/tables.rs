//! "Visualizing sharding propagation by factor" and "Collecting and propagating sharding axes".

use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::propagation::{
    FactorTable, Graph, Op, OpKind, Strategy, Value, propagate,
};

const STRATEGIES: [Strategy; 4] =
    [Strategy::Basic, Strategy::Aggressive, Strategy::OpPriority, Strategy::UserPriority];

/// One operation on tensors of one size; `rule` maps their factors.
fn operation(rule: &str, dims: [&[usize]; 3], shardings: [&str; 3]) -> (Graph, Op, [Value; 3]) {
    let axes = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| format!("{name:?}=2"));
    let mesh: Mesh = format!("<[{}]>", axes.join(", ")).parse().expect("a mesh");
    let mut graph = Graph::new("mesh", mesh);
    let operands = [graph.argument(dims[0]), graph.argument(dims[1])];
    let rule = rule.parse().expect("a rule");
    let op = graph.op(OpKind::Other, rule, &operands, &[dims[2]]).expect("an operation");
    let tensors = [operands[0], operands[1], graph.results(op)[0]];
    for (tensor, text) in tensors.into_iter().zip(shardings) {
        let sharding = text.parse().expect("a sharding");
        graph.set_sharding(tensor, &sharding).expect("a sharding that fits");
    }
    (graph, op, tensors)
}

/// The document's example, with the explicitly replicated axes of each tensor.
fn example(replicated: [&str; 3]) -> (Graph, Op) {
    let dims: &[usize] = &[64, 64, 64];
    let shardings = [
        format!(r#"<@mesh, [{{"a", ?}}, {{?}}, {{"f", ?}}]{}>"#, replicated[0]),
        format!(r#"<@mesh, [{{"a", "b", ?}}, {{"c", "d", ?}}, {{"g", ?}}]{}>"#, replicated[1]),
        format!(r#"<@mesh, [{{?}}, {{"c", "e", ?}}, {{?}}]{}>"#, replicated[2]),
    ];
    let rule = "([i, j, k], [i, j, k])->([i, j, k]) {i=64, j=64, k=64}";
    let (graph, op, _) = operation(rule, [dims; 3], [&shardings[0], &shardings[1], &shardings[2]]);
    (graph, op)
}

/// The tables of the example before and after propagation.
pub(crate) fn steps() -> [FactorTable; 2] {
    let (mut graph, op) = example([""; 3]);
    let before = graph.factor_table(op);
    propagate(&mut graph, Strategy::Basic);
    [before, graph.factor_table(op)]
}

/// The table of `C = dot(A, B)` with a batching dimension.
pub(crate) fn dot() -> FactorTable {
    let open = "<@mesh, [{?}, {?}, {?}]>";
    let rule = "([i, j, l], [i, l, k])->([i, j, k]) {i=4, j=8, k=16, l=32} reduction={l}";
    let (graph, op, _) = operation(rule, [&[4, 8, 32], &[4, 32, 16], &[4, 8, 16]], [open; 3]);
    graph.factor_table(op)
}

#[test]
fn each_column_is_a_factor_each_row_a_tensor_and_the_last_column_has_the_replicated_axes() {
    let (graph, op) = example([r#", replicated={"b"}"#, "", r#", replicated={"f", "h"}"#]);
    let table = graph.factor_table(op);
    assert_eq!(table.factors, ["i", "j", "k"]);
    assert_eq!(
        table.to_string(),
        r#"|  | F0 = i | F1 = j | F2 = k | explicitly replicated axes |
|---|---|---|---|---|
| T0 | "a" | - | "f" | "b" |
| T1 | "a", "b" | "c", "d" | "g" | - |
| T2 | - | "c", "e" | - | "f", "h" |
"#
    );
}

#[test]
fn if_an_axis_is_explicitly_replicated_we_cannot_use_it_to_partition_the_tensor() {
    for strategy in STRATEGIES {
        let (mut graph, op) = example([r#", replicated={"b"}"#, "", r#", replicated={"f"}"#]);
        propagate(&mut graph, strategy);
        let rows = graph.factor_table(op).rows;
        let cells: Vec<_> = rows.iter().map(|row| row.factors[0].as_deref()).collect();
        // Without the replicated axis, T0 would get "b" as well.
        let t2 = if strategy == Strategy::Basic { r#""a""# } else { r#""a", "b""# };
        assert_eq!(cells, [Some(r#""a""#), Some(r#""a", "b""#), Some(t2)], "{strategy:?}");
        assert_eq!((&rows[0].replicated[..], &rows[2].replicated[..]), (r#""b""#, r#""f""#));
    }
}

#[test]
fn a_cell_with_n_means_that_the_factor_is_not_in_the_tensor() {
    let missing = dot().rows.into_iter().map(|row| {
        let cells = row.factors.into_iter().enumerate();
        cells.filter(|(_, axes)| axes.is_none()).map(|(factor, _)| factor).collect::<Vec<_>>()
    });
    // F0 is the batching dimension, F1 and F2 are non-contracting, F3 is contracting.
    assert_eq!(missing.collect::<Vec<_>>(), [[2], [1], [3]]);
}

#[test]
fn step_1_finds_the_compatible_major_axes_and_step_2_expands_the_factors() {
    for strategy in STRATEGIES {
        let (mut graph, op) = example([""; 3]);
        propagate(&mut graph, strategy);
        assert_eq!(
            graph.factor_table(op).to_string(),
            r#"|  | F0 = i | F1 = j | F2 = k | explicitly replicated axes |
|---|---|---|---|---|
| T0 | "a", "b" | "c" | "f" | - |
| T1 | "a", "b" | "c", "d" | "g" | - |
| T2 | "a", "b" | "c", "e" | - | - |
"#,
            "{strategy:?}"
        );
    }
}

#[test]
fn axes_with_partial_sums_have_a_column_where_there_are_any() {
    let (graph, op) = example(["", "", r#", replicated={"f"}, unreduced={"g"}"#]);
    let text = graph.factor_table(op).to_string();
    assert!(text.contains("| explicitly replicated axes | unreduced axes |\n"), "{text}");
    assert!(text.ends_with("| T2 | - | \"c\", \"e\" | - | \"f\" | \"g\" |\n"), "{text}");
}

#[test]
fn operations_without_a_mesh_or_a_rule_have_tables_too() {
    let mesh: Mesh = r#"<["a"=2]>"#.parse().expect("a mesh");
    let mut graph = Graph::new("mesh", mesh);
    let x = graph.argument(&[8]);
    let opaque = graph.opaque_op(&[x], &[&[8]]);
    let rule = "([i])->([]) {i=8} reduction={i}".parse().expect("a rule");
    let sum = graph.op(OpKind::Other, rule, &[x], &[&[]]).expect("an operation");
    let cells = |row: &tensor_layout::sharding::propagation::FactorRow| row.factors.clone();
    let rows = graph.factor_table(sum).rows;
    assert_eq!(rows.iter().map(cells).collect::<Vec<_>>(), [[Some(String::new())], [None]]);
    graph.set_sharding(x, &r#"<@mesh, [{}], replicated={"a"}>"#.parse().unwrap()).unwrap();
    let table = graph.factor_table(opaque).to_string();
    assert_eq!(table, "|  | explicitly replicated axes |\n|---|---|\n| T0 | \"a\" |\n| T1 | - |\n");
}
