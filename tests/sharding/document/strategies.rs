//! "Hierarchy of conflict resolution".

use crate::rows::{rows, text};
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::{Definitions, Program, Shardings};
use tensor_layout::sharding::propagation::{Round, Strategy};

pub(crate) const POD: &str = r#"<["data"=2, "model"=4]>"#;

/// A training step: the batch first, then the two halves of Megatron's pair of products, and last ZeRO, which splits weights
/// and their momentum along the axis of the batch as well.
pub(crate) const STEP: &str = r#"
mesh Pod;
fn step(
    x: f32[64,512] [{"data"}, {?}],
    w1: f32[512,2048] [{"data", ?}p2, {"model", ?}p1],
    w2: f32[2048,512] [{"model", ?}p1, {"data", ?}p2],
    m: f32[512,2048],
) {
    let h = dot(x, reshard(w1));
    let g = tanh(h);
    let y = dot(g, reshard(w2));
    let s = add(w1, m);
    return y, s;
}
"#;

/// A product and a sum that disagree about the sharding of `y`.
pub(crate) const BIAS: &str = r#"
mesh Pod;
fn bias(x: f32[64,512] [{"data"}, {?}], w: f32[512,2048], b: f32[64,2048] [{?}, {"data"}]) {
    let y = dot(x, w);
    let z = add(y, b);
    return z;
}
"#;

/// A product whose operands split two factors of the result along one axis.
pub(crate) const OUTER: &str = r#"
mesh Pod;
fn outer(a: f32[2048,512] [{"model"}, {?}], b: f32[512,1024] [{?}, {"model"}]) {
    let c = dot(a, b);
    return c;
}
"#;

pub(crate) fn rounds(program: &str, strategy: Strategy) -> Vec<(Round, Shardings)> {
    let mesh: Mesh = POD.parse().expect("a mesh");
    let definitions = Definitions { meshes: vec![mesh], rules: Vec::new() };
    Program::rounds(program, &definitions, strategy).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn last(program: &str, strategy: Strategy) -> Shardings {
    rounds(program, strategy).pop().expect("a round").1
}

/// The shardings after all phases of each priority.
pub(crate) fn by_priority(program: &str) -> Vec<Shardings> {
    let rounds = rounds(program, Strategy::UserPriority).into_iter();
    rounds.filter(|(round, _)| round.phase == Some(4)).map(|(_, shardings)| shardings).collect()
}

/// The sharding of a value, without the mesh.
pub(crate) fn of(shardings: &Shardings, name: &str) -> String {
    let (_, sharding) = shardings.iter().find(|(own, _)| own == name).expect("the value");
    let text = sharding.as_ref().map_or_else(String::new, ToString::to_string);
    text.trim_start_matches("<@Pod, ").trim_end_matches('>').to_string()
}

/// The words of the text, without line ends and indentation.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace(",)", ")")
}

/// Every row equals what Shardy's passes make of the program. For the rounds of user priorities, the pass for operation
/// priorities ran on the module of each round, in which dimensions of later rounds are closed and their axes replicated.
#[test]
fn every_strategy_and_every_round_is_as_in_shardy() {
    let mut programs = Vec::new();
    for row in rows("sharding_strategies", 15) {
        let program = [STEP, BIAS, OUTER]
            .into_iter()
            .find(|program| words(program) == words(text(&row, "program")))
            .unwrap_or_else(|| panic!("the guide does not show {row}"));
        assert_eq!(text(&row, "mesh"), POD);
        let found = match (row["priority"].as_u64(), text(&row, "strategy")) {
            (Some(priority), _) => by_priority(program).swap_remove(priority as usize),
            (None, "basic") => last(program, Strategy::Basic),
            (None, "aggressive") => last(program, Strategy::Aggressive),
            (None, "op") => last(program, Strategy::OpPriority),
            (None, _) => last(program, Strategy::UserPriority),
        };
        for name in row["expected"].as_object().expect("values").keys() {
            assert!(found.iter().any(|(own, _)| own == name), "no value {name}: {row}");
        }
        for (name, sharding) in found {
            // The result of a function without a sharding is not in the row.
            let expected = row["expected"].get(&name).and_then(|text| text.as_str());
            assert_eq!(sharding.map(|own| own.to_string()).as_deref(), expected, "{name}: {row}");
        }
        programs.push(program);
    }
    programs.dedup();
    assert_eq!(programs.len(), 3);
}

#[test]
fn for_each_user_priority_the_full_op_priority_propagation_is_applied() {
    let loops = rounds(STEP, Strategy::UserPriority);
    let loops: Vec<_> = loops.iter().map(|(round, _)| (round.priority, round.phase)).collect();
    let nested = (0..3).flat_map(|priority| (0..5).map(move |phase| (Some(priority), Some(phase))));
    assert_eq!(loops, nested.collect::<Vec<_>>());
    let phases = rounds(STEP, Strategy::OpPriority);
    let phases: Vec<_> = phases.iter().map(|(round, _)| (round.priority, round.phase)).collect();
    assert_eq!(phases, (0..5).map(|phase| (None, Some(phase))).collect::<Vec<_>>());
    for strategy in [Strategy::Basic, Strategy::Aggressive] {
        let alone: Vec<_> = rounds(STEP, strategy).iter().map(|(round, _)| *round).collect();
        assert_eq!(alone, [Round { priority: None, phase: None }]);
    }
}

#[test]
fn in_iteration_i_dimensions_of_a_lower_priority_are_ignored_and_not_overridden() {
    let [batch, megatron, zero] = &by_priority(STEP)[..] else { panic!("three priorities") };
    for (name, expected) in [
        (
            "w1",
            [
                r#"[{}, {}], replicated={"data", "model"}"#,
                r#"[{}, {"model", ?}], replicated={"data"}"#,
                r#"[{"data", ?}, {"model", ?}]"#,
            ],
        ),
        ("m", ["", r#"[{?}, {"model", ?}]"#, r#"[{"data", ?}, {"model", ?}]"#]),
        (
            "h",
            [
                r#"[{"data", ?}, {?}]"#,
                r#"[{"data", ?}, {"model", ?}]"#,
                r#"[{"data", ?}, {"model", ?}]"#,
            ],
        ),
        ("y", [r#"[{"data", ?}, {?}]"#; 3]),
    ] {
        let found = [batch, megatron, zero].map(|shardings| of(shardings, name));
        assert_eq!(found, expected, "{name}");
    }
    // Without priorities, ZeRO wins the axis and the result is not split by batch.
    let without = STEP.replace("p1", "").replace("p2", "");
    assert_eq!(of(&last(&without, Strategy::UserPriority), "y"), r#"[{?}, {"data", ?}]"#);
}

#[test]
fn pass_through_operations_have_the_highest_priority() {
    let phases = rounds(BIAS, Strategy::OpPriority);
    let y: Vec<_> = phases.iter().map(|(_, shardings)| of(shardings, "y")).collect();
    assert_eq!(y, [r#"[{?}, {"data", ?}]"#; 5], "the sum is first, the product is bound by it");
    assert_eq!(of(&phases[1].1, "w"), "", "products wait for phase 2");
    assert_eq!(of(&phases[2].1, "w"), r#"[{?}, {"data", ?}]"#);
    assert_eq!(of(&last(BIAS, Strategy::Aggressive), "y"), r#"[{"data", ?}, {?}]"#);
}

#[test]
fn basic_propagation_only_propagates_without_conflicts_and_aggressive_propagation_resolves_them() {
    assert_eq!(of(&last(OUTER, Strategy::Basic), "c"), "");
    assert_eq!(of(&last(OUTER, Strategy::Aggressive), "c"), r#"[{"model", ?}, {?}]"#);
    // The smaller operand gives way.
    let other = OUTER.replace("a: f32[2048,", "a: f32[256,");
    assert_eq!(of(&last(&other, Strategy::Aggressive), "c"), r#"[{?}, {"model", ?}]"#);
}
