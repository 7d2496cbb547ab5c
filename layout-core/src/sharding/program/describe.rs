//! Descriptions of programs, as Markdown.

use super::{Call, Program, braces};
use crate::sharding::tensor::Split;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most operations of a program whose factor tables are written: no one reads more.
const MAX_TABLES: usize = 100;

impl Program {
    /// Tables of all values, of what devices send each other, and of the factors of each operation before and after
    /// propagation. Markdown.
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
        let array = |dtype: &dyn core::fmt::Display, dims: &[usize]| {
            let dims: Vec<_> = dims.iter().map(|size| size.to_string()).collect();
            format!("`{dtype}[{}]`", dims.join(","))
        };
        for (at, value) in self.values.iter().enumerate() {
            let origins =
                if self.calls.len() <= MAX_TABLES { self.origins(at) } else { Vec::new() };
            text += &format!(
                "| `{}` | {} | `{}` | {} | {} | {} |\n",
                value.name,
                array(&value.dtype, &value.dims),
                Split(&value.sharding),
                array(&value.dtype, value.local_dims()),
                value.local_bytes(),
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

    /// The factors of an operation before and after propagation, as a table of Shardy's documentation.
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
    /// Where the axes of a value came from, in words; empty if they were written.
    pub(super) fn origins(&self, at: usize) -> Vec<String> {
        let own = self.graph.owner(self.values[at].value);
        let name = |value| {
            let found = self.values.iter().find(|other| other.value == value);
            found.map_or("?", |found| found.name.as_str())
        };
        let origins = self.graph.origins();
        let mut texts = Vec::new();
        for origin in origins.iter().filter(|origin| origin.value == own) {
            let through = origin.op.and_then(|op| self.calls.iter().find(|call| call.op == op));
            let axis = braces(core::slice::from_ref(&origin.axis));
            let mut text = format!("{axis} of dim {} ", origin.dim);
            text += &match through {
                Some(call) => format!("from `{}` through `{}`", name(origin.from), call.name),
                None if origin.from == own => "from the result of the function".to_string(),
                None => format!("from `{}` of the same group", name(origin.from)),
            };
            // Follow the axis back to where it was written.
            let mut from = origin.from;
            for _ in 0..origins.len() {
                let before = origins
                    .iter()
                    .find(|other| other.value == from && other.axis.name == origin.axis.name);
                match before {
                    Some(before) => from = before.from,
                    None => break,
                }
            }
            if from != origin.from {
                text += &format!(", written at `{}`", name(from));
            }
            texts.push(text);
        }
        texts
    }
}
