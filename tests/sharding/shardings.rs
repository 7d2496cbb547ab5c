//! Shardy's results for single operations, local arrays, conflicts and reshards, row by row.

use crate::rows::{numbers, rows, text};
use serde_json::Value as Json;
use std::collections::HashMap;
use tensor_layout::DType;
use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, Value, propagate};
use tensor_layout::sharding::{
    AxisRef, DimSharding, Mesh, MeshAxis, MeshRef, OpShardingRule, Padding, Shards, TensorSharding,
    reshard,
};

/// A mesh from names and sizes.
fn mesh(row: &Json) -> Mesh {
    let axes = row["mesh"].as_object().expect("axes");
    let axes = axes.iter().map(|(name, size)| {
        MeshAxis::new(name.clone(), size.as_u64().expect("a size").try_into().expect("small"))
    });
    Mesh::new(axes, []).unwrap_or_else(|error| panic!("{row}: {error}"))
}

fn sharding(text: &str) -> TensorSharding {
    let sharding: TensorSharding = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(sharding.to_string(), text);
    sharding
}

fn rule(text: &str) -> OpShardingRule {
    let rule: OpShardingRule = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(rule.to_string(), text);
    rule
}

fn strategy(row: &Json) -> Strategy {
    match text(row, "strategy") {
        "basic" => Strategy::Basic,
        "aggressive" => Strategy::Aggressive,
        "op" => Strategy::OpPriority,
        "user" => Strategy::UserPriority,
        other => panic!("unknown strategy {other}"),
    }
}

fn written(sharding: Option<TensorSharding>) -> Json {
    sharding.map_or(Json::Null, |sharding| sharding.to_string().into())
}

/// One operation with its tensors by name: operands are `arg0`, `arg1` and so on, results `r0`, `r1` and so on.
fn single_op(row: &Json, shardings: &str) -> (Graph, Vec<(String, Value)>) {
    let mut graph = Graph::new("mesh", mesh(row));
    let shapes = row["shapes"].as_object().expect("shapes");
    let mut named = Vec::new();
    let names = |kind: char| {
        let mut names: Vec<_> = shapes.keys().filter(|name| name.starts_with(kind)).collect();
        names.sort_by_key(|name| {
            name.trim_start_matches(char::is_alphabetic).parse::<usize>().expect("a number")
        });
        names
    };
    for name in names('a') {
        named.push((name.clone(), graph.argument(&numbers(&shapes[name]))));
    }
    let operands: Vec<_> = named.iter().map(|(_, value)| *value).collect();
    let results: Vec<_> = names('r').iter().map(|name| numbers(&shapes[*name])).collect();
    let results: Vec<_> = results.iter().map(Vec::as_slice).collect();
    let op = graph
        .op(OpKind::Other, rule(text(row, "rule")), &operands, &results)
        .expect("an operation");
    for (name, value) in names('r').into_iter().zip(graph.results(op).to_vec()) {
        named.push((name.clone(), value));
    }
    for (name, value) in &named {
        if let Some(text) = row[shardings][name].as_str() {
            graph
                .set_sharding(*value, &sharding(text))
                .unwrap_or_else(|error| panic!("{row}: {error}"));
        }
    }
    (graph, named)
}

#[test]
fn one_operation() {
    for row in rows("sharding_step", 300) {
        let (mut graph, named) = single_op(&row, "input");
        propagate(&mut graph, strategy(&row));
        for (name, value) in named {
            assert_eq!(written(graph.sharding(value)), row["expected"][&name], "{name} of {row}");
        }
    }
}

#[test]
fn conflicts() {
    for row in rows("sharding_conflict", 200) {
        let (graph, named) = single_op(&row, "shardings");
        let op = graph.definition(named.last().expect("a result").1).expect("its operation");
        let conflict = graph.conflict(op);
        assert_eq!(conflict.is_some(), row["reshards_inserted"] != 0, "{conflict:?} in {row}");
        assert_eq!(conflict.is_some(), !row["conflict"].is_null(), "{conflict:?} in {row}");
    }
}

fn kind(op: &str) -> OpKind {
    match op {
        "add" | "tanh" => OpKind::Elementwise,
        "reshape" | "transpose" => OpKind::Reshape,
        "broadcast_in_dim" => OpKind::BroadcastInDim,
        _ => OpKind::Other,
    }
}

#[test]
fn whole_graphs() {
    let random = rows("sharding_graph_random", 100);
    for row in rows("sharding_graph", 300).into_iter().chain(random) {
        let mesh: Mesh = text(&row, "mesh").parse().expect("a mesh");
        assert_eq!(mesh.to_string(), text(&row, "mesh"));
        let mut graph = Graph::new("mesh", mesh);
        let mut values: HashMap<String, Value> = HashMap::new();
        let set = |graph: &mut Graph, value, row: &Json| {
            if let Some(text) = row["sharding"].as_str() {
                graph
                    .set_sharding(value, &sharding(text))
                    .unwrap_or_else(|error| panic!("{row}: {error}"));
            }
        };
        for argument in row["arguments"].as_array().expect("arguments") {
            let value = graph.argument(&numbers(&argument["dims"]));
            set(&mut graph, value, argument);
            values.insert(text(argument, "name").into(), value);
        }
        for op in row["ops"].as_array().expect("operations") {
            let operands: Vec<_> = op["operands"]
                .as_array()
                .expect("operands")
                .iter()
                .map(|name| values[name.as_str().expect("a name")])
                .collect();
            let dims = numbers(&op["dims"]);
            let made = match op["rule"].as_str() {
                Some(text) => graph
                    .op(kind(self::text(op, "op")), rule(text), &operands, &[&dims])
                    .expect("an operation"),
                None => graph.opaque_op(&operands, &[&dims]),
            };
            let value = graph.results(made)[0];
            set(&mut graph, value, op);
            values.insert(text(op, "result").into(), value);
        }
        let mut returns = Vec::new();
        for returned in row["returns"].as_array().expect("returns") {
            let sharding = returned["sharding"].as_str().map(sharding);
            returns.push(
                graph.ret(values[text(returned, "value")], sharding.as_ref()).expect("a return"),
            );
        }
        propagate(&mut graph, strategy(&row));
        for (name, value) in &values {
            assert_eq!(written(graph.sharding(*value)), row["expected"][name], "{name} of {row}");
        }
        for (at, number) in returns.into_iter().enumerate() {
            if let Some(expected) = row["expected"].get(format!("ret{at}")) {
                assert_eq!(&written(graph.return_sharding(number)), expected, "ret{at} of {row}");
            }
        }
    }
}

/// A closed sharding from a JAX spec: a list of axes for each dimension.
fn spec(row: &Json) -> TensorSharding {
    let dims = row["spec"].as_array().expect("a spec").iter().map(|axes| {
        let axes = axes.as_array().expect("axes").iter();
        let axes = axes.map(|axis| AxisRef::full(axis.as_str().expect("a name").to_owned()));
        DimSharding { axes: axes.collect::<Vec<_>>().into(), ..DimSharding::default() }
    });
    TensorSharding::new(MeshRef::Name("mesh".into()), dims.collect::<Vec<_>>())
}

#[test]
fn what_each_device_holds() {
    for row in rows("sharding_local", 120) {
        let axes = mesh(&row).axes().to_vec();
        let ids =
            if row["device_ids"].is_null() { Vec::new() } else { numbers(&row["device_ids"]) };
        let mesh = Mesh::new(axes, ids).expect("a mesh");
        let dims = numbers(&row["dims"]);
        let shards = Shards::new(&spec(&row), &mesh, &dims, Padding::Forbidden);
        if row["error"] == "IndivisibleError" {
            let error = shards.expect_err("what does not divide").to_string();
            assert!(error.contains("not divisible"), "{error}");
            continue;
        }
        let shards = shards.unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(shards.local_dims(), numbers(&row["local_shape"]), "{row}");
        assert_eq!(shards.hlo().to_string(), text(&row, "hlo_sharding"), "{row}");
        for (device, slice) in row["slices"].as_object().expect("slices") {
            let device = device.parse().expect("a device");
            let expected: Vec<_> = slice
                .as_array()
                .expect("a slice")
                .iter()
                .map(|range| {
                    let range = numbers(range);
                    range[0]..range[1]
                })
                .collect();
            assert_eq!(shards.slice(device).expect("a device"), expected, "{device} of {row}");
            let first: Vec<_> = expected.iter().map(|range| range.start).collect();
            let (holder, local) = shards.locate(&first);
            assert_eq!(shards.slice(holder), shards.slice(device), "{device} of {row}");
            assert_eq!(shards.global(device, &local), Some(first), "{device} of {row}");
        }
    }
}

#[test]
fn local_arrays_on_a_tpu() {
    for row in rows("sharding_tpu_local", 200) {
        let dtype = DType::from_name(text(&row, "dtype")).expect("an element type");
        let dims = numbers(&row["dims"]);
        let shards =
            Shards::new(&spec(&row), &mesh(&row), &dims, Padding::Forbidden).expect("shards");
        let layout = shards.local_tpu(dtype).expect("a layout");
        assert_eq!(layout.to_string(), text(&row, "local"), "{row}");
    }
}

#[test]
fn reshards() {
    for row in rows("sharding_reshard", 80) {
        let mesh: Mesh = text(&row, "mesh").parse().expect("a mesh");
        let parse =
            |key: &str, more: String| sharding(&format!("<@mesh, {}{more}>", text(&row, key)));
        let unreduced = row["unreduced"]
            .as_str()
            .map_or(String::new(), |axis| format!(", unreduced={{\"{axis}\"}}"));
        let (from, to) = (parse("from", unreduced), parse("to", String::new()));
        let steps = reshard::plan(&mesh, &from, &to, &numbers(&row["shape"]), 32).expect("a plan");
        let expected = row["collectives"].as_array().expect("collectives");
        let found: Vec<_> = steps.iter().map(|step| step.to_string()).collect();
        assert_eq!(steps.len(), expected.len(), "{found:?} of {row}");
        let mut before = &from;
        for step in &steps {
            let check = step.collective.check(&mesh, before, &step.sharding);
            check.unwrap_or_else(|error| panic!("{step}: {error} in {row}"));
            before = &step.sharding;
        }
        for (step, expected) in steps.iter().zip(expected) {
            assert_eq!(step.collective.name(), text(expected, "op"), "{row}");
            assert_eq!(step.collective.to_string(), text(expected, "parameter"), "{row}");
            assert_eq!(
                step.sharding.to_string(),
                format!("<@mesh, {}>", text(expected, "out_sharding")),
                "{row}"
            );
            assert_eq!(
                step.bytes,
                expected["bytes_received_per_device"].as_u64().expect("bytes").into(),
                "{row}"
            );
        }
    }
}

/// Sizes that do not divide each other, where Shardy permutes. If its plan does not reach the goal, or permutes devices that
/// split a dimension into a different number of parts, ours is the cheapest plan.
#[test]
fn reshards_of_sizes_that_do_not_divide() {
    for (mesh, from, to, dims, expected) in [
        (
            r#"<["x"=4, "y"=3]>"#,
            r#"[{"y", "x"}]"#,
            r#"[{"x"}]"#,
            &[144][..],
            &[
                r#"collective_permute -> [{"x", "y"}]: 48 bytes"#,
                r#"all_gather [{"y"}] -> [{"x"}]: 96 bytes"#,
            ][..],
        ),
        (
            r#"<["x"=3, "y"=3, "z"=2, "w"=3]>"#,
            r#"[{"y", "w"}, {"z"}, {}]"#,
            r#"[{}, {"w"}, {"x", "z", "y"}]"#,
            &[144, 144, 144],
            &[
                r#"all_slice [{}, {}, {"x"}] -> [{"y", "w"}, {"z"}, {"x"}]: 0 bytes"#,
                r#"all_to_all [{"z"}: 1->2] -> [{"y", "w"}, {}, {"x", "z"}]: 110592 bytes"#,
                r#"all_to_all [{"w"}: 0->1] -> [{"y"}, {"w"}, {"x", "z"}]: 147456 bytes"#,
                r#"all_to_all [{"y"}: 0->2] -> [{}, {"w"}, {"x", "z", "y"}]: 147456 bytes"#,
            ],
        ),
        (r#"<["x"=4, "y"=6]>"#, r#"[{"y"}, {"x"}]"#, r#"[{"x"}, {"y":(1)2}]"#, &[96, 96], &[]),
    ] {
        let mesh = mesh.parse().expect("a mesh");
        let sharding = |split: &str| sharding(&format!("<@mesh, {split}>"));
        let steps = reshard::plan(&mesh, &sharding(from), &sharding(to), dims, 32).expect("a plan");
        let steps: Vec<_> = steps.iter().map(ToString::to_string).collect();
        assert!(
            steps.ends_with(&expected.iter().map(ToString::to_string).collect::<Vec<_>>()),
            "{steps:?}"
        );
    }
}

/// Reshards for which Shardy permutes the devices first, although two all-to-alls are enough.
#[test]
fn all_to_alls_alone_where_they_move_less() {
    let mesh = r#"<["x"=2, "y"=4]>"#.parse().expect("a mesh");
    let [from, to] = [r#"[{"y"}, {}, {"x"}]"#, r#"[{"x"}, {"y"}, {}]"#]
        .map(|split| sharding(&format!("<@mesh, {split}>")));
    let steps = reshard::plan(&mesh, &from, &to, &[16, 16, 16], 32).expect("a plan");
    let steps: Vec<_> = steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        steps,
        [
            r#"all_to_all [{"y"}: 0->1] -> [{}, {"y"}, {"x"}]: 1536 bytes"#,
            r#"all_to_all [{"x"}: 2->0] -> [{"x"}, {"y"}, {}]: 1024 bytes"#,
        ]
    );
}

/// The bytes of padded parts are counted, and so are those that devices lack before they slice.
#[test]
fn reshards_of_padded_parts_count_their_padding() {
    use tensor_layout::sharding::reshard::plan;
    use tensor_layout::sharding::{Mesh, TensorSharding};
    let mesh: Mesh = r#"<["x"=4, "y"=2]>"#.parse().expect("a mesh");
    let bytes = |from: &str, to: &str, dims: &[usize]| -> Vec<u128> {
        let [from, to] = [from, to].map(|split| {
            format!("<@mesh, {split}>").parse::<TensorSharding>().expect("a sharding")
        });
        let steps = plan(&mesh, &from, &to, dims, 32).expect("a plan");
        steps.iter().map(|step| step.bytes).collect()
    };
    // Each device receives 2 x 2 elements from each of 3 others, though there are 6 columns for 4 devices.
    assert_eq!(bytes(r#"[{"x"}, {}]"#, r#"[{}, {"x"}]"#, &[8, 6]), [48]);
    assert_eq!(bytes(r#"[{"x"}, {}]"#, r#"[{}, {"x"}]"#, &[8, 8]), [48]);
    // The second half of 6 elements begins at 3, and the fifth of 8 parts at 4: the fourth part is on another device.
    assert_eq!(bytes(r#"[{"y"}]"#, r#"[{"y", "x"}]"#, &[6]), [4]);
    assert_eq!(bytes(r#"[{"y"}]"#, r#"[{"y", "x"}]"#, &[16]), [0]);
}
