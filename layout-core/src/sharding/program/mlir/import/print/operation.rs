//! Prints operations piece by piece.

use super::super::names::Names;
use super::super::rules;
use super::super::tree::{Number, Operation, Piece, Region};
use super::form::kept_attributes;
use super::{Printer, with_sharding};
use crate::sharding::TensorSharding;
use crate::sharding::tensor::{ReductionOp, Symbol};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

impl Printer<'_, '_> {
    pub(super) fn operations(&mut self, region: &Region, names: &Names, indent: usize) {
        let last = region.operations.len().saturating_sub(1);
        for (at, operation) in region.operations.iter().enumerate() {
            self.line(indent);
            self.operation(operation, names, indent, at == last);
            self.text.push('\n');
        }
    }

    fn operation(&mut self, operation: &Operation, names: &Names, indent: usize, last: bool) {
        let syntax = self.imported.module.syntax(operation);
        self.results(operation, names);
        if self.form.calls(syntax.name) {
            return self.call(operation, names);
        }
        for (at, piece) in syntax.pieces.iter().enumerate() {
            match *piece {
                Piece::Text(text) if at == 0 => self.first_text(syntax.name, text, indent, last),
                Piece::Text(text) => self.written(syntax.name, text, text),
                Piece::Operand(at) => {
                    let _ = write!(self.text, "%{}", names.of(operation.operands[at]));
                }
                Piece::Argument(at) => {
                    let arguments = operation.regions.first().map(|region| &region.arguments);
                    let argument = arguments.and_then(|arguments| arguments.get(at));
                    let _ = write!(self.text, "%{}", argument.map_or("", |value| names.of(*value)));
                }
                Piece::Region(at) => self.region(&operation.regions[at], names, indent),
                Piece::Attributes(written, keyword) => self.attributes(operation, written, keyword),
                Piece::Callee => {
                    let name = self.callees.get(operation).unwrap_or(&syntax.callee);
                    let _ = write!(self.text, "{}", Symbol(name));
                }
                Piece::Constraint => {
                    let own = operation.results.first().and_then(|value| self.own(*value)).cloned();
                    if let Some(sharding) = own.or_else(|| syntax.constraint.clone()) {
                        let _ = write!(self.text, "{}", self.form.sharding(sharding));
                    }
                }
                Piece::Summed => self.summed(operation),
                Piece::Border { operands } => self.border(operation, operands),
            }
        }
    }

    /// The sharding of a value.
    fn own(&self, value: Number) -> Option<&TensorSharding> {
        self.imported.shardings[value].as_ref()
    }

    /// The names of the results: `%0 = `, `%0:2, %1 = `.
    fn results(&mut self, operation: &Operation, names: &Names) {
        let mut results = operation.results.iter();
        let groups = self.imported.module.syntax(operation).results.iter();
        let groups = groups.filter_map(|(_, count)| {
            let name = names.of(*results.by_ref().take(*count).next()?);
            results.by_ref().take(count.saturating_sub(1)).count();
            let base = name.split('#').next().unwrap_or(name);
            Some(if *count == 1 { format!("%{base}") } else { format!("%{base}:{count}") })
        });
        let groups: Vec<_> = groups.collect();
        if !groups.is_empty() {
            let _ = write!(self.text, "{} = ", groups.join(", "));
        }
    }

    /// The first text of the operation `name`, which contains the name.
    fn first_text(&mut self, name: &str, text: &str, indent: usize, last: bool) {
        let top = 1 + usize::from(self.imported.module.has_braces);
        let renamed = self.form.renamed(name).or_else(|| match name {
            // The dialect is implied in the function itself, but not in the bodies of its operations.
            "func.call" if indent == top && text.starts_with("func.call") => Some("call"),
            "return" | "func.return" if last && text.starts_with("func.return") => Some("return"),
            _ => None,
        });
        match renamed {
            Some(new) => {
                let (before, after) = text.split_once(name).unwrap_or(("", text));
                self.written(name, text, &[before, new, after].concat());
            }
            None => self.written(name, text, text),
        }
    }

    /// Prints `shown` for a text of the operation `name`, and keeps the position of a long constant.
    fn written(&mut self, name: &str, text: &str, shown: &str) {
        self.text += shown;
        if name.ends_with(".constant")
            && let Some(start) = text.find("dense")
            && let Some(found) = self.long.get_mut(&text[start..])
        {
            let end = self.text.len();
            *found = Some(end - (text.len() - start)..end);
        }
    }

    fn region(&mut self, region: &Region, names: &Names, indent: usize) {
        self.text.push('\n');
        if region.has_header {
            self.line(indent);
            let arguments = region.arguments.iter().map(|value| {
                let ty = self.imported.module.values[*value].ty.text;
                format!("%{}: {ty}", names.of(*value))
            });
            let arguments = arguments.collect::<Vec<_>>().join(", ");
            match &arguments[..] {
                "" => self.text += "^bb0:\n",
                arguments => {
                    let _ = writeln!(self.text, "^bb0({arguments}):");
                }
            }
        }
        self.operations(region, names, indent + 1);
        self.line(indent);
    }

    fn attributes(&mut self, operation: &Operation, written: &str, keyword: bool) {
        if self.imported.module.name(operation) == "sdy.data_flow_edge" {
            if let Some(own) = self.own(operation.results[0]).cloned() {
                let _ = write!(self.text, " sharding={}", self.form.sharding(own));
            }
            return;
        }
        let sharding = self.sharding(operation);
        let written = kept_attributes(written);
        let attributes = with_sharding(&written, sharding.as_deref());
        if !attributes.is_empty() {
            self.text += if keyword { " attributes {" } else { " {" };
            self.text += &attributes;
            self.text.push('}');
        }
    }

    /// The axes over which an operation sums its operand: `{"x"}`, `max {"x", "y"}`.
    fn summed(&mut self, operation: &Operation) {
        let operand = operation.operands.first().and_then(|value| self.own(*value));
        let result = operation.results.first().and_then(|value| self.own(*value));
        let left = result.map_or(&[][..], |own| &own.unreduced);
        let axes = operand.map_or(&[][..], |own| &own.unreduced).iter();
        let axes = axes.filter(|axis| !left.contains(axis)).map(ToString::to_string);
        let axes = axes.collect::<Vec<_>>().join(", ");
        let word = match operand.map(|own| own.reduction) {
            Some(ReductionOp::Max) => "max ",
            Some(ReductionOp::Min) => "min ",
            _ => "",
        };
        let _ = write!(self.text, "{word}{{{axes}}}");
    }

    /// The shardings of the operands or results of a manual computation.
    fn border(&mut self, operation: &Operation, operands: bool) {
        let syntax = self.imported.module.syntax(operation);
        let (written, values) = match operands {
            true => (&syntax.operand_border, &operation.operands),
            false => (&syntax.result_border, &operation.results),
        };
        let shardings = match operands {
            _ if self.form.is_continued(&operation.results) => {
                written.iter().cloned().map(Some).collect()
            }
            true => self.entered(operation),
            false => self.imported.all(&operation.results),
        };
        // A value that is not a tensor keeps its written text.
        let kept = values.iter().zip(written).map(|(value, written)| {
            let is_tensor = self.imported.module.dims(*value).is_some();
            (self.form.is_pass() && !is_tensor).then(|| written.clone())
        });
        let list: Vec<_> = kept
            .chain(core::iter::repeat(None))
            .zip(shardings)
            .filter_map(|(kept, sharding)| kept.or(sharding))
            .map(|sharding| self.form.sharding(sharding).to_string())
            .collect();
        let _ = write!(self.text, "[{}]", list.join(", "));
    }

    /// The shardings in which a manual computation reads its operands, after the pipeline only as far as axes divide them.
    fn entered(&self, operation: &Operation) -> Vec<Option<TensorSharding>> {
        let Some(region) = operation.regions.first() else { return Vec::new() };
        let entries = operation.operands.iter().zip(&region.arguments);
        let outside = entries.map(|(operand, argument)| {
            let own = self.imported.graph.outside_sharding(self.imported.values[*argument]?)?;
            let dims = self.imported.module.dims(*operand).unwrap_or(&[]);
            Some(if self.form.is_pass() { own } else { self.imported.divisible(own, dims, false) })
        });
        outside.collect()
    }

    /// A body with a name, as a call of its function.
    fn call(&mut self, operation: &Operation, names: &Names) {
        let name = self.callees.get(operation).unwrap_or_default();
        let types = |values: &[Number]| -> Vec<_> {
            values.iter().map(|value| self.imported.module.values[*value].ty.text).collect()
        };
        let operands: Vec<_> =
            operation.operands.iter().map(|value| format!("%{}", names.of(*value))).collect();
        let sharding = self.sharding(operation);
        let attributes =
            sharding.map_or_else(String::new, |own| format!(" {{sdy.sharding = {own}}}"));
        let results = types(&operation.results);
        let results = match results.len() {
            1 => results[0].to_owned(),
            _ => format!("({})", results.join(", ")),
        };
        let text = format!(
            "call {}({}){attributes} : ({}) -> {results}",
            Symbol(name),
            operands.join(", "),
            types(&operation.operands).join(", ")
        );
        self.text += &text;
    }

    /// The shardings of the results of an operation, if one of them has one.
    fn sharding(&self, operation: &Operation) -> Option<String> {
        let name = self.imported.module.name(operation);
        let has_own = matches!(name, "sdy.sharding_constraint" | "sdy.manual_computation");
        if has_own || rules::is_resharding(name) {
            return None;
        }
        let mut shardings: Vec<_> =
            self.imported.all(&operation.results).into_iter().flatten().collect();
        if operation.results.is_empty() || self.form.is_continued(&operation.results) {
            shardings.clone_from(&self.imported.module.syntax(operation).shardings);
        }
        if shardings.is_empty() {
            return None;
        }
        let shardings =
            shardings.into_iter().map(|sharding| self.form.sharding(sharding).to_string());
        let list = shardings.collect::<Vec<_>>().join(", ");
        Some(format!("#sdy.sharding_per_value<[{list}]>"))
    }
}
