//! Graphs of golden data as programs.

use crate::rows::{numbers, text};
use serde_json::Value as Json;
use std::collections::HashMap;
use tensor_layout::sharding::{FactorKind, OpShardingRule, TensorMapping};

/// The program of a row.
pub(crate) fn program(row: &Json) -> String {
    let mut writer = Writer::default();
    let meshes = row["meshes"].as_object().expect("meshes").keys();
    let (first, others): (Vec<_>, Vec<_>) = meshes.partition(|name| *name == "mesh");
    for name in first.into_iter().chain(others) {
        writer.text += &format!("mesh {name}; ");
    }
    let arguments = row["arguments"].as_array().expect("arguments").iter().map(|argument| {
        format!(
            "{}: f32{:?}{}",
            text(argument, "name"),
            numbers(&argument["dims"]),
            split(&argument["sharding"])
        )
    });
    writer.text += &format!("fn f({}) {{\n", arguments.collect::<Vec<_>>().join(", "));
    writer.ops(&row["ops"]);
    let returns = row["returns"].as_array().expect("returns").iter();
    let returns =
        returns.map(|value| format!("{}{}", text(value, "value"), split(&value["sharding"])));
    writer.text += &format!("return {};\n}}", returns.collect::<Vec<_>>().join(", "));
    writer.text
}

/// The sharding after a value. The mesh is named unless it is the default one.
fn split(json: &Json) -> String {
    let Some(sharding) = json.as_str() else { return String::new() };
    let sharding = sharding.trim_start_matches('<').trim_end_matches('>');
    let (mesh, split) = sharding.split_once(", ").expect("a mesh and a split");
    if mesh == "@mesh" { format!(" {split}") } else { format!(" {mesh} {split}") }
}

fn list(row: &Json, key: &str) -> Vec<String> {
    let names = row[key].as_array().unwrap_or_else(|| panic!("no {key} in {row}")).iter();
    names.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

/// The dimension of a tensor that a factor maps to.
fn dim_of(mapping: &TensorMapping, factor: usize) -> usize {
    (0..mapping.rank()).find(|&dim| mapping.dim(dim).any(|own| own == factor)).expect("the factor")
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The first value of each group.
    groups: HashMap<u64, String>,
}

impl Writer {
    fn ops(&mut self, ops: &Json) {
        ops.as_array().expect("operations").iter().for_each(|op| self.op(op));
    }

    /// The statements, and the returned values.
    fn body(&mut self, row: &Json, splits: &[String]) -> String {
        let outer = std::mem::take(&mut self.text);
        self.ops(&row["body"]);
        let returned = list(row, "return").into_iter().enumerate();
        let returned = returned.map(|(at, name)| name + splits.get(at).map_or("", String::as_str));
        let returned = returned.collect::<Vec<_>>().join(", ");
        let inner = std::mem::replace(&mut self.text, outer);
        format!("{{\n{inner}return {returned}; }}")
    }

    fn op(&mut self, row: &Json) {
        let made = match text(row, "op") {
            "sharding_group" => {
                let (value, id) =
                    (list(row, "operands").remove(0), row["group"].as_u64().expect("a number"));
                self.text += &match self.groups.get(&id) {
                    Some(first) => format!("group({first}, {value});\n"),
                    None => format!("group({value});\n"),
                };
                self.groups.entry(id).or_insert(value);
                return;
            }
            "while" => {
                let inputs = list(row, "arguments").into_iter().zip(list(row, "operands"));
                let inputs: Vec<_> =
                    inputs.map(|(name, value)| format!("{name} = {value}")).collect();
                format!("while ({}) {}", inputs.join(", "), self.body(row, &[]))
            }
            "case" => {
                let regions = row["regions"].as_array().expect("regions").iter();
                let bodies: Vec<_> = regions.map(|region| self.body(region, &[])).collect();
                format!("case {}", bodies.join(" "))
            }
            "manual_computation" => {
                let splits = |key: &str| -> Vec<_> {
                    row[key].as_array().expect("shardings").iter().map(split).collect()
                };
                let axes: Vec<_> =
                    list(row, "axes").iter().map(|axis| format!("{axis:?}")).collect();
                let inputs =
                    list(row, "arguments").into_iter().zip(list(row, "operands")).zip(splits("in"));
                let inputs: Vec<_> = inputs
                    .map(|((name, value), split)| format!("{name} = {value}{split}"))
                    .collect();
                let body = self.body(row, &splits("out"));
                format!("manual {{{}}} ({}) {body}", axes.join(", "), inputs.join(", "))
            }
            _ => operation(row),
        };
        let names = list(row, "results");
        let split = split(&row["sharding"]);
        let is_constraint = text(row, "op") == "sharding_constraint";
        self.text += &match &names[..] {
            [name] if is_constraint => format!("let {name} = {made}{split};\n"),
            [name] => format!("let {name}{split} = {made};\n"),
            _ => format!("let ({}) = {made};\n", names.join(", ")),
        };
    }
}

/// An operation without bodies.
fn operation(row: &Json) -> String {
    let operands = list(row, "operands").join(", ");
    let rule = || -> OpShardingRule { text(row, "rule").parse().expect("a rule") };
    match text(row, "op") {
        "optimization_barrier" => format!("optimization_barrier({operands})"),
        "propagation_barrier" => {
            format!("propagation_barrier({operands}, allowed_direction={})", text(row, "direction"))
        }
        "sharding_constraint" => format!("constrain({operands})"),
        "reshape" => format!("reshape({operands}, {:?})", numbers(&row["dims"])),
        "broadcast" => {
            let dims = numbers(&row["dims"]);
            let kept: Vec<_> = (0..dims.len() - 1).collect();
            format!("broadcast_in_dim({operands}, {dims:?}, {kept:?})")
        }
        "transpose" => {
            let rule = rule();
            let (from, to) = (&rule.operands()[0], &rule.results()[0]);
            let order: Vec<_> = (0..to.rank())
                .map(|dim| dim_of(from, to.dim(dim).next().expect("a factor")))
                .collect();
            format!("transpose({operands}, {order:?})")
        }
        "dot" => {
            let rule = rule();
            let reduced = (0..rule.factor_count())
                .find(|&factor| rule.factor_kind(factor) == FactorKind::Reduction)
                .expect("a factor that is summed over");
            let [lhs, rhs] = [0, 1].map(|at| dim_of(&rule.operands()[at], reduced));
            format!("dot_general({operands}, lhs_contracting=[{lhs}], rhs_contracting=[{rhs}])")
        }
        op => format!("{op}({operands})"),
    }
}
