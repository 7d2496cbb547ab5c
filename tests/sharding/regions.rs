//! Shardy's results for graphs with loops, branches, manual computations, groups, barriers, constraints and several
//! meshes.

use crate::graphs;
use crate::rows::{number, numbers, rows, text};
use serde_json::Value as Json;
use std::collections::HashMap;
use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::propagation::{
    Direction, Edge, Graph, ManualAxes, OpKind, Strategy, Value, propagate,
};
use tensor_layout::sharding::{AxisRef, OpShardingRule, TensorSharding};

fn list<'a>(row: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    row[key].as_array().unwrap_or_else(|| panic!("no {key} in {row}")).iter()
}

fn names(row: &Json, key: &str) -> Vec<String> {
    list(row, key).map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn sharding(json: &Json) -> Option<TensorSharding> {
    Some(json.as_str()?.parse().unwrap_or_else(|error| panic!("{json}: {error}")))
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

fn kind(op: &str) -> OpKind {
    match op {
        "add" | "tanh" => OpKind::Elementwise,
        "reshape" | "transpose" => OpKind::Reshape,
        "broadcast" => OpKind::BroadcastInDim,
        _ => OpKind::Other,
    }
}

struct Builder {
    graph: Graph,
    values: HashMap<String, Value>,
}

impl Builder {
    fn get(&self, name: &str) -> Value {
        *self.values.get(name).unwrap_or_else(|| panic!("no value {name}"))
    }

    fn all(&self, row: &Json, key: &str) -> Vec<Value> {
        names(row, key).iter().map(|name| self.get(name)).collect()
    }

    fn set(&mut self, value: Value, json: &Json) {
        if let Some(sharding) = sharding(json) {
            let set = self.graph.set_sharding(value, &sharding);
            set.unwrap_or_else(|error| panic!("{json}: {error}"));
        }
    }

    /// Adds the operations of a body, and passes the values that it returns to the edges.
    fn body(&mut self, row: &Json, edges: &mut [Edge]) {
        list(row, "body").for_each(|op| self.op(op));
        for (edge, value) in edges.iter_mut().zip(self.all(row, "return")) {
            self.graph.returned(edge, value).expect("a source");
        }
    }

    fn op(&mut self, row: &Json) {
        match text(row, "op") {
            "while" => self.repeat(row),
            "case" => {
                let dims: Vec<_> = list(row, "dims").map(numbers).collect();
                let (mut edges, targets): (Vec<_>, Vec<_>) =
                    dims.iter().map(|dims| self.graph.open_edge(dims, 1)).unzip();
                for region in list(row, "regions") {
                    self.graph.enter(&[]);
                    self.body(region, &mut edges);
                    self.graph.leave();
                }
                for edge in edges {
                    self.graph.close_edge(edge, &[]).expect("an edge");
                }
                self.name(row, "results", targets.iter().map(|targets| targets[0]));
            }
            "optimization_barrier" => {
                for (value, name) in
                    self.all(row, "operands").into_iter().zip(names(row, "results"))
                {
                    let dims = self.graph.dims(value).to_vec();
                    let (edge, targets) = self.graph.open_edge(&dims, 1);
                    self.graph.close_edge(edge, &[value]).expect("an edge");
                    self.values.insert(name, targets[0]);
                }
            }
            "manual_computation" => self.manual(row),
            "sharding_group" => {
                let value = self.all(row, "operands")[0];
                self.graph.group(number(&row["group"]), value).expect("a group");
            }
            "propagation_barrier" => {
                let direction = match text(row, "direction") {
                    "FORWARD" => Direction::Forward,
                    "BACKWARD" => Direction::Backward,
                    _ => Direction::None,
                };
                let value = self.all(row, "operands")[0];
                let result = self.graph.barrier(value, direction).expect("a barrier");
                self.set(result, &row["sharding"]);
                self.name(row, "results", [result]);
            }
            "sharding_constraint" => {
                let sharding = sharding(&row["sharding"]).expect("a sharding");
                let value = self.all(row, "operands")[0];
                let result = self.graph.constraint(value, &sharding).expect("a constraint");
                self.name(row, "results", [result]);
            }
            op => {
                let (operands, dims) = (self.all(row, "operands"), numbers(&row["dims"]));
                let rule: OpShardingRule = text(row, "rule").parse().expect("a rule");
                let op = self.graph.op(kind(op), rule, &operands, &[&dims]).expect("an operation");
                let result = self.graph.results(op)[0];
                self.set(result, &row["sharding"]);
                self.name(row, "results", [result]);
            }
        }
    }

    fn name(&mut self, row: &Json, key: &str, values: impl IntoIterator<Item = Value>) {
        self.values.extend(names(row, key).into_iter().zip(values));
    }

    /// Ties the result, the argument of the condition and the argument of the body together.
    fn repeat(&mut self, row: &Json) {
        let operands = self.all(row, "operands");
        let (mut edges, targets): (Vec<_>, Vec<_>) = operands
            .iter()
            .map(|&operand| {
                let dims = self.graph.dims(operand).to_vec();
                self.graph.open_edge(&dims, 3)
            })
            .unzip();
        let target = |at: usize| targets.iter().map(move |targets| targets[at]).collect::<Vec<_>>();
        self.name(row, "conditions", target(1));
        self.name(row, "arguments", target(2));
        self.graph.enter(&target(2));
        self.body(row, &mut edges);
        self.graph.leave();
        for (edge, operand) in edges.into_iter().zip(operands) {
            self.graph.close_edge(edge, &[operand]).expect("an edge");
        }
        self.name(row, "results", target(0));
    }

    fn manual(&mut self, row: &Json) {
        let axes = ManualAxes::new(names(row, "axes").into_iter().map(AxisRef::full));
        let operands: Vec<_> = self.all(row, "operands").into_iter().zip(list(row, "in")).collect();
        let arguments: Vec<_> = operands
            .into_iter()
            .map(|(operand, json)| {
                let sharding = sharding(json).expect("a sharding");
                let argument = self.graph.manual_argument(operand, &sharding, &axes);
                argument.unwrap_or_else(|error| panic!("{row}: {error}"))
            })
            .collect();
        self.graph.enter_manual(&arguments, &axes);
        self.name(row, "arguments", arguments);
        self.body(row, &mut []);
        self.graph.leave();
        let results: Vec<_> = self
            .all(row, "return")
            .into_iter()
            .zip(list(row, "dims").zip(list(row, "out")))
            .map(|(returned, (dims, json))| {
                let sharding = sharding(json).expect("a sharding");
                let result = self.graph.manual_result(returned, &numbers(dims), &sharding, &axes);
                result.unwrap_or_else(|error| panic!("{row}: {error}"))
            })
            .collect();
        self.name(row, "results", results);
    }
}

fn check(row: &Json) -> Result<(), String> {
    let meshes = row["meshes"].as_object().expect("meshes");
    let parse = |json: &Json| json.as_str().expect("a mesh").parse().expect("a mesh");
    let mut graph = Graph::new("mesh", parse(&meshes["mesh"]));
    for (name, mesh) in meshes.iter().filter(|(name, _)| *name != "mesh") {
        graph.add_mesh(name, parse(mesh)).expect("another mesh");
    }
    let mut builder = Builder { graph, values: HashMap::new() };
    for argument in list(row, "arguments") {
        let value = builder.graph.argument(&numbers(&argument["dims"]));
        builder.set(value, &argument["sharding"]);
        builder.values.insert(text(argument, "name").into(), value);
    }
    list(row, "ops").for_each(|op| builder.op(op));
    let returns: Vec<_> = list(row, "returns")
        .map(|returned| {
            let value = builder.get(text(returned, "value"));
            builder.graph.ret(value, sharding(&returned["sharding"]).as_ref()).expect("a return")
        })
        .collect();
    propagate(&mut builder.graph, strategy(row));
    let written = |sharding: Option<TensorSharding>| {
        sharding.map_or(Json::Null, |sharding| sharding.to_string().into())
    };
    for (name, expected) in row["expected"].as_object().expect("shardings") {
        let found = match name.strip_prefix("ret").and_then(|at| at.parse::<usize>().ok()) {
            Some(at) => builder.graph.return_sharding(returns[at]),
            None => builder.graph.sharding(builder.get(name)),
        };
        let found = written(found);
        if found != *expected {
            return Err(format!("{name} is {found} instead of {expected}"));
        }
    }
    Ok(())
}

/// The rows of the file, or of another file that an environment variable names.
fn all() -> Vec<Json> {
    match std::env::var("SHARDING_ROWS") {
        Ok(path) => {
            let text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
        }
        Err(_) => [rows("sharding_regions", 279), rows("sharding_manual", 96)].concat(),
    }
}

fn all_hold(check: impl Fn(&Json) -> Result<(), String>) {
    let rows = all();
    let wrong: Vec<_> = rows.iter().filter_map(|row| Some((row, check(row).err()?))).collect();
    for (row, error) in wrong.iter().take(5) {
        println!("{error}\n{row}\n");
    }
    assert!(wrong.is_empty(), "{} of {} rows differ", wrong.len(), rows.len());
}

#[test]
fn graphs_are_as_shardy_has_them() {
    all_hold(check);
}

#[test]
fn programs_are_as_shardy_has_them() {
    all_hold(|row| {
        let program = graphs::program(row);
        let meshes = row["meshes"].as_object().expect("meshes");
        let mut meshes: Vec<_> = meshes.iter().collect();
        meshes.sort_by_key(|(name, _)| *name != "mesh");
        let meshes = meshes.into_iter().map(|(_, mesh)| mesh.as_str().expect("a mesh"));
        let meshes = meshes.map(|mesh| mesh.parse().expect("a mesh")).collect();
        let definitions = Definitions { meshes, rules: Vec::new() };
        let found = Program::shardings(&program, &definitions, strategy(row));
        let found = found.unwrap_or_else(|error| panic!("{error}\n{program}"));
        for (name, expected) in row["expected"].as_object().expect("shardings") {
            let (_, own) = found.iter().find(|(own, _)| own == name).expect("the value");
            let own = own.as_ref().map_or(Json::Null, |sharding| sharding.to_string().into());
            if own != *expected {
                return Err(format!("{name} is {own} instead of {expected}\n{program}"));
            }
        }
        Ok(())
    });
}

/// Rows from Shardy in jaxlib 0.10.2: a sub-axis of a manual axis stays the one that the border names, whatever is known about
/// the result outside.
#[test]
fn parts_of_manual_axes_do_not_grow() {
    let mesh: tensor_layout::sharding::Mesh = r#"<["a"=4, "b"=2]>"#.parse().expect("a mesh");
    for (part, taken, result) in [
        (r#""a":(1)2"#, r#"[{"a"}, {?}]"#, r#"[{"a":(1)2}, {}]"#),
        (r#""a":(1)2"#, r#"[{"a", "b"}, {?}]"#, r#"[{"a":(1)2}, {}]"#),
        (r#""a":(1)2"#, r#"[{"a":(1)2, "b"}, {?}]"#, r#"[{"a":(1)2, "b"}, {}]"#),
        (r#""a":(1)2"#, r#"[{"a":(1)2}, {"a":(2)2}]"#, r#"[{"a":(1)2}, {}]"#),
        (r#""a":(2)2"#, r#"[{"a"}, {?}]"#, r#"[{"a":(2)2}, {}]"#),
    ] {
        let text = format!(
            r#"mesh M; fn f(x: f32[8,8]) {{
                let m = manual {{"a"}} (h = x [{{{part}, ?}}, {{?}}]) {{
                    let t = tanh(h);
                    return t [{{{part}, ?}}, {{?}}];
                }};
                let y = tanh(reshard(m)) {taken};
                let z = exp(m);
                return z;
            }}"#
        );
        let program = Program::new(&text, &mesh).unwrap_or_else(|error| panic!("{text}\n{error}"));
        for name in ["m", "z"] {
            let mut found = program.value(name).expect("a value").sharding.clone();
            found.dims.to_mut().iter_mut().for_each(|dim| dim.open = false);
            found.replicated = Vec::new().into();
            assert_eq!(found.to_string(), format!("<@M, {result}>"), "{name} of {text}");
        }
    }
}
