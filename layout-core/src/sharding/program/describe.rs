//! Descriptions of programs, as Markdown.

use super::{Call, Program, array_text, braces};
use crate::sharding::propagation::{Origin, Value};
use crate::sharding::tensor::Split;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The largest number of operations of a program whose factor tables are written; longer descriptions are not useful to a reader.
pub(super) const MAX_TABLES: usize = 100;

impl Program {
    /// Tables of all values, of the data that devices send each other, and of the factors of each operation before and after
    /// propagation, in Markdown.
    pub fn describe(&self) -> String {
        let meshes = self.meshes.iter().map(|(name, mesh)| format!("`{name}`, {mesh}"));
        let meshes: Vec<_> = meshes.collect();
        let plural = if meshes.len() == 1 { "" } else { "es" };
        let mut text = format!(
            "The function `{}` over the mesh{plural} {}.\n\n",
            self.name,
            meshes.join("; ")
        );
        text += "| value | global | sharding | local | bytes per device | where its axes came from |\n|---|---|---|---|---|---|\n";
        let mut origins = if self.calls.len() <= MAX_TABLES { self.origins() } else { Vec::new() };
        origins.resize(self.values.len(), Vec::new());
        for (value, origins) in self.values.iter().zip(origins) {
            let bytes = match value.unbounded {
                0 => value.local_bytes().to_string(),
                _ => "unknown".to_string(),
            };
            text += &format!(
                "| `{}` | `{}` | `{}` | `{}` | {} | {} |\n",
                value.name,
                array_text(value.dtype, &value.dims, value.unbounded),
                Split(&value.sharding),
                array_text(value.dtype, value.local_dims(), value.unbounded),
                bytes,
                origins.join("; ")
            );
        }
        if self.collectives.is_empty() {
            text += "\nDevices send each other nothing.\n";
        } else {
            text += "\n| for | collective | bytes received per device |\n|---|---|---|\n";
            for traffic in &self.collectives {
                text += &format!(
                    "| `{}` | `{}` | {} |\n",
                    traffic.value, traffic.collective, traffic.bytes
                );
            }
        }
        if self.calls.len() <= MAX_TABLES {
            for (at, call) in self.calls.iter().enumerate() {
                text += &self.tables(at, call);
            }
        }
        text
    }

    /// The factors of an operation before and after propagation, as a table in the style of Shardy's documentation.
    fn tables(&self, at: usize, call: &Call) -> String {
        let rule = self.graph.rule(call.op);
        let operands: Vec<_> =
            call.operands.iter().map(|&operand| self.values[operand].name.as_str()).collect();
        let results: Vec<_> =
            call.results.iter().map(|&result| self.values[result].name.as_str()).collect();
        let made = format!("{} = {}({})", results.join(", "), call.name, operands.join(", "));
        let names: Vec<_> = operands.into_iter().chain(results).collect();
        let table = self.graph.factor_table(call.op).markdown(&names, self.before.get(at));
        format!("\n`{made}`, `{rule}`:\n\n{table}")
    }
}

impl Program {
    /// For each value, the origins of its axes, in words; empty for axes that are written at the value.
    pub fn origins(&self) -> Vec<Vec<String>> {
        let origins = self.graph.origins();
        let mut of: BTreeMap<Value, Vec<&Origin>> = BTreeMap::new();
        for origin in origins {
            of.entry(origin.value).or_default().push(origin);
        }
        // If several values share an edge, and so a sharding, the first name is used.
        let names = self.values.iter().rev().map(|value| (value.value, value.name.as_str()));
        let names: BTreeMap<_, _> = names.collect();
        let calls = self.calls.iter().rev().map(|call| (call.op, call.name.as_str()));
        let calls: BTreeMap<_, _> = calls.collect();
        let name = |value: Value| names.get(&value).copied().unwrap_or("?");
        // The value at which each axis of a value was written.
        let mut sources: BTreeMap<(Value, &str), Value> = BTreeMap::new();
        let mut source = |from: Value, axis: &'_ str| {
            let (mut at, mut path) = (from, Vec::new());
            // Bounds the search: an axis passes each value at most once.
            for _ in 0..=origins.len() {
                let known = of.get(&at).into_iter().flatten();
                let before = known.copied().find(|origin| origin.axis.name == axis);
                match (sources.get(&(at, axis)), before) {
                    (Some(found), _) => {
                        at = *found;
                        break;
                    }
                    (None, Some(before)) => {
                        path.push((at, before.axis.name.as_ref()));
                        at = before.from;
                    }
                    (None, None) => break,
                }
            }
            sources.extend(path.into_iter().map(|key| (key, at)));
            at
        };
        let mut words = |origin: &&Origin| {
            let own = origin.value;
            let axis = braces(core::slice::from_ref(&origin.axis));
            let mut text = format!("{axis} of dim {} ", origin.dim);
            text += &match origin.op.and_then(|op| calls.get(&op)) {
                Some(call) => format!("from `{}` through `{call}`", name(origin.from)),
                None if origin.from == own => "from the result of the function".to_string(),
                None => format!("from `{}` of the same group", name(origin.from)),
            };
            let from = source(origin.from, &origin.axis.name);
            if from != origin.from {
                text += &format!(", written at `{}`", name(from));
            }
            text
        };
        let owners = self.values.iter().map(|value| self.graph.owner(value.value));
        let texts = owners.map(|owner| {
            let own = of.get(&owner).map_or(&[][..], Vec::as_slice);
            own.iter().map(&mut words).collect()
        });
        texts.collect()
    }
}
