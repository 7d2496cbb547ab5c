//! Prints a module as it was read, with the shardings of all its values, in the form in which Shardy's pipeline prints it.

use super::gspmd;
use super::merge::Merge;
use super::names::Names;
use super::prepare::without_unused;
use super::read::entries;
use super::rules;
use super::tree::{Border, Function, Number, Operation, Piece, Region};
use super::{Imported, Root};
use crate::sharding::TensorSharding;
use crate::sharding::tensor::{ReductionOp, Symbol};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

/// A function that is being printed.
struct Export<'i, 't> {
    name: String,
    function: Option<&'i Function<'t>>,
    region: Region,
    arguments: Vec<Option<TensorSharding>>,
    results: Vec<Option<TensorSharding>>,
}

/// The position of a call: that of its text, and its first result.
type CallSite = (usize, Option<Number>);

/// Prints the functions of a module.
pub(super) struct Printer<'i, 't> {
    imported: &'i Imported<'t>,
    /// The functions by name.
    functions: BTreeMap<&'t str, &'i Function<'t>>,
    exports: Vec<Export<'i, 't>>,
    /// The position of each function in `exports`.
    positions: BTreeMap<String, usize>,
    /// For each call, by its first result or its position: the name of the function.
    callees: BTreeMap<CallSite, String>,
    /// The names of functions so far, and the number of conflicts.
    taken: BTreeSet<String>,
    conflicts: usize,
    /// Whether this is the output of one pass, whose names and open dimensions are unchanged.
    is_pass: bool,
    /// Values that an edge continues; the edge has their sharding.
    edges: BTreeSet<Number>,
    text: String,
    /// Long texts of constants, which the program does not store anywhere else, and their positions.
    long: BTreeMap<&'t str, Option<Range<usize>>>,
}

/// A sharding whose dimensions are all closed; it then need not list replicated axes.
fn closed(mut sharding: TensorSharding) -> TensorSharding {
    sharding.replicated = [][..].into();
    for dim in sharding.dims.to_mut() {
        dim.open = false;
        dim.priority = None;
    }
    sharding
}

/// Attributes without braces, with the sharding in alphabetical order of their names.
fn with_sharding(attributes: &str, sharding: Option<&str>) -> String {
    let written = entries(attributes).filter(|entry| {
        let name = entry.split('=').next().unwrap_or("").trim();
        name != "sdy.sharding" && (name != gspmd::ATTRIBUTE || sharding.is_none())
    });
    let mut all: Vec<_> = written.map(ToOwned::to_owned).collect();
    if let Some(sharding) = sharding {
        let at = all.iter().position(|entry| entry.as_str() > "sdy.sharding");
        all.insert(at.unwrap_or(all.len()), format!("sdy.sharding = {sharding}"));
    }
    all.join(", ")
}

impl<'i, 't> Printer<'i, 't> {
    fn new(imported: &'i Imported<'t>, long: impl Iterator<Item = &'t str>) -> Self {
        let name = |root: &Root| imported.module.functions[root.function].name.to_owned();
        let functions = imported.module.functions.iter();
        Self {
            imported,
            functions: functions.map(|function| (function.name, function)).collect(),
            exports: Vec::new(),
            positions: BTreeMap::new(),
            callees: BTreeMap::new(),
            taken: imported.roots.iter().map(name).collect(),
            conflicts: 0,
            is_pass: false,
            edges: BTreeSet::new(),
            text: String::new(),
            long: long.map(|text| (text, None)).collect(),
        }
    }

    /// The text of a module after one pass.
    pub(super) fn pass(imported: &'i Imported<'t>) -> String {
        let mut printer = Self::new(imported, core::iter::empty());
        printer.is_pass = true;
        let functions = imported.roots.iter().map(|root| {
            printer.continued(&root.region);
            let function = &imported.module.functions[root.function];
            let of = |(value, border): (&Number, &Border<'t>)| {
                imported.shardings[*value].clone().or_else(|| border.sharding.clone())
            };
            let results = function.results.iter().enumerate().map(|(at, border)| {
                let written = || border.sharding.clone();
                root.first_return
                    .map_or_else(written, |first| imported.graph.return_sharding(first + at))
            });
            Export {
                name: function.name.to_owned(),
                function: Some(function),
                region: root.region.clone(),
                arguments: root.region.arguments.iter().zip(&function.arguments).map(of).collect(),
                results: results.collect(),
            }
        });
        let functions = functions.collect();
        printer.module(functions);
        printer.text
    }

    /// Collects the values that edges continue.
    fn continued(&mut self, region: &Region) {
        for operation in &region.operations {
            if self.imported.module.name(operation) == "sdy.data_flow_edge" {
                self.edges.extend(&operation.operands);
            }
            operation.regions.iter().for_each(|region| self.continued(region));
        }
    }

    /// A sharding in the form in which it is printed.
    fn shown(&self, sharding: TensorSharding) -> TensorSharding {
        if self.is_pass { sharding } else { closed(sharding) }
    }

    /// The text, and the position in it of each of the `long` texts of constants.
    pub(super) fn print(
        imported: &'i Imported<'t>,
        long: impl Iterator<Item = &'t str>,
    ) -> (String, BTreeMap<&'t str, Option<Range<usize>>>) {
        let graph = &imported.graph;
        let mut printer = Self::new(imported, long);
        let mut roots = Vec::new();
        for root in &imported.roots {
            let function = &imported.module.functions[root.function];
            let mut region = root.region.clone();
            without_unused(&imported.module, &mut region, is_removed);
            printer.export(&region);
            let border = |sharding: Option<TensorSharding>, value: Number| {
                let dims = imported.module.dims(value).unwrap_or(&[]);
                sharding.map(|sharding| imported.divisible(sharding, dims, true))
            };
            let arguments = region.arguments.iter();
            let arguments =
                arguments.map(|value| border(imported.shardings[*value].clone(), *value));
            let arguments = arguments.collect();
            let results =
                region.returned().iter().enumerate().map(|(at, value)| match root.first_return {
                    Some(first) => border(graph.return_sharding(first + at), *value),
                    None => imported.shardings[*value].clone(),
                });
            let results = results.collect();
            roots.push(Export {
                name: function.name.to_owned(),
                function: Some(function),
                region,
                arguments,
                results,
            });
        }
        printer.share(&roots);
        let mut reached = BTreeSet::new();
        roots.iter().for_each(|root| printer.reach(&root.region, &mut reached));
        let exports = core::mem::take(&mut printer.exports).into_iter();
        roots.extend(exports.filter(|export| reached.contains(&export.name)));
        printer.module(roots);
        (printer.text, printer.long)
    }

    /// Collects the functions that a region calls, after those that they call themselves.
    fn export(&mut self, region: &Region) {
        for operation in &region.operations {
            let syntax = self.imported.module.syntax(operation);
            let is_call = matches!(syntax.name, "call" | "func.call" | "sdy.named_computation");
            if !is_call || operation.regions.len() != 1 {
                operation.regions.iter().for_each(|region| self.export(region));
                continue;
            }
            let mut body = operation.regions[0].clone();
            without_unused(&self.imported.module, &mut body, is_removed);
            self.export(&body);
            let arguments = self.imported.all(&body.arguments);
            let imported = self.imported;
            let results = body.returned().iter().map(|value| {
                let dims = imported.module.dims(*value).unwrap_or(&[]);
                let own = imported.shardings[*value].clone();
                own.map(|own| imported.divisible(own, dims, false))
            });
            let results: Vec<_> = results.collect();
            let name = self.unique(syntax.callee);
            let place = (operation.syntax, operation.results.first().copied());
            self.callees.insert(place, name.clone());
            let function = self.functions.get(syntax.callee).copied();
            self.positions.insert(name.clone(), self.exports.len());
            self.exports.push(Export { name, function, region: body, arguments, results });
        }
    }

    /// Merges copies of a function that have the same shardings into the one that is called first in the module.
    fn share(&mut self, roots: &[Export<'i, 't>]) {
        let mut places = Vec::new();
        roots
            .iter()
            .chain(&self.exports)
            .for_each(|export| self.called(&export.region, &mut places));
        let mut known: BTreeMap<(&str, String), String> = BTreeMap::new();
        for (place, callee) in places {
            let Some(name) = self.callees.get(&place) else { continue };
            let Some(export) = self.positions.get(name).map(|at| &self.exports[*at]) else {
                continue;
            };
            let results = self.imported.all(export.region.returned());
            let border = format!("{:?}", (&export.arguments, results));
            let known = known.entry((callee, border)).or_insert_with(|| name.clone());
            self.callees.insert(place, known.clone());
        }
    }

    /// Collects the positions of calls in a region, with the function that each of them calls.
    fn called(&self, region: &Region, places: &mut Vec<(CallSite, &'t str)>) {
        for operation in &region.operations {
            let place = (operation.syntax, operation.results.first().copied());
            if self.callees.contains_key(&place) && operation.regions.len() == 1 {
                places.push((place, self.imported.module.syntax(operation).callee));
            } else {
                operation.regions.iter().for_each(|region| self.called(region, places));
            }
        }
    }

    /// The name, or the name with a number if a function has it.
    fn unique(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        while self.taken.contains(&name) {
            name = format!("{base}_{}", self.conflicts);
            self.conflicts += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// The names of the functions that a region calls, directly or indirectly.
    fn reach(&self, region: &Region, reached: &mut BTreeSet<String>) {
        for operation in &region.operations {
            let place = (operation.syntax, operation.results.first().copied());
            let name = self.callees.get(&place).filter(|_| operation.regions.len() == 1);
            let Some(name) = name else {
                operation.regions.iter().for_each(|region| self.reach(region, reached));
                continue;
            };
            if reached.insert(name.clone())
                && let Some(at) = self.positions.get(name)
            {
                self.reach(&self.exports[*at].region, reached);
            }
        }
    }

    fn module(&mut self, exports: Vec<Export<'i, 't>>) {
        let module = &self.imported.module;
        let (open, indent) = if module.has_braces { (" {\n", 1) } else { ("", 0) };
        self.text += module.head.trim_end_matches('{').trim_end();
        self.text += open;
        let lines =
            module.meshes.iter().map(|(_, _, text)| &**text).chain(module.others.iter().copied());
        for line in lines {
            self.line(indent);
            self.text += line;
            self.text.push('\n');
        }
        for export in exports {
            self.function(export, indent);
        }
        if module.has_braces {
            self.text += "}\n";
        }
    }

    fn line(&mut self, indent: usize) {
        (0..indent).for_each(|_| self.text += "  ");
    }

    fn function(&mut self, mut export: Export<'i, 't>, indent: usize) {
        let imported = self.imported;
        let mut merge = Merge {
            module: &imported.module,
            shardings: &imported.shardings,
            merged: BTreeMap::new(),
        };
        if !self.is_pass {
            merge.region(&mut export.region);
            without_unused(&imported.module, &mut export.region, is_removed);
        }
        let names = Names::with(&imported.module, &export.region, self.is_pass);
        self.line(indent);
        self.text += export.function.map_or("func.func private", |function| function.head);
        let _ = write!(self.text, " {}(", Symbol(&export.name));
        let border = |at: usize, results: bool| -> Option<&Border<'t>> {
            let function = export.function?;
            if results { function.results.get(at) } else { function.arguments.get(at) }
        };
        let is_pass = self.is_pass;
        let shown = move |own: TensorSharding| if is_pass { own } else { closed(own) };
        let attributes = |border: Option<&Border<'t>>, sharding: Option<&TensorSharding>| {
            let written = border.map_or("", |border| border.attributes);
            let sharding = sharding.map(|own| format!("#sdy.sharding{}", shown(own.clone())));
            match &with_sharding(written, sharding.as_deref())[..] {
                "" => String::new(),
                attributes => format!(" {{{attributes}}}"),
            }
        };
        let arguments = export.region.arguments.iter().zip(&export.arguments).enumerate();
        let arguments = arguments.map(|(at, (&value, sharding))| {
            let ty = imported.module.values[value].ty.text;
            format!(
                "%{}: {ty}{}",
                names.of(value),
                attributes(border(at, false), sharding.as_ref())
            )
        });
        self.text += &arguments.collect::<Vec<_>>().join(", ");
        self.text.push(')');
        let returned = export.region.returned();
        let results = returned.iter().zip(&export.results).enumerate();
        let results: Vec<_> = results
            .map(|(at, (&value, sharding))| {
                let ty = imported.module.values[value].ty.text;
                (ty, attributes(border(at, true), sharding.as_ref()))
            })
            .collect();
        match &results[..] {
            [] => {}
            [(ty, attributes)] if attributes.is_empty() => {
                let _ = write!(self.text, " -> {ty}");
            }
            results => {
                let results: Vec<_> =
                    results.iter().map(|(ty, attributes)| format!("{ty}{attributes}")).collect();
                let _ = write!(self.text, " -> ({})", results.join(", "));
            }
        }
        if let Some(function) = export.function.filter(|function| !function.attributes.is_empty()) {
            let _ = write!(self.text, " {}", function.attributes);
        }
        self.text += " {\n";
        self.operations(&export.region, &names, indent + 1);
        self.line(indent);
        self.text += "}\n";
    }

    fn operations(&mut self, region: &Region, names: &Names, indent: usize) {
        let last = region.operations.len().saturating_sub(1);
        for (at, operation) in region.operations.iter().enumerate() {
            if self.imported.module.name(operation) == "sdy.sharding_group" && !self.is_pass {
                continue;
            }
            self.line(indent);
            self.operation(operation, names, indent, at == last);
            self.text.push('\n');
        }
    }

    fn operation(&mut self, operation: &Operation, names: &Names, indent: usize, last: bool) {
        let syntax = self.imported.module.syntax(operation);
        let mut results = operation.results.iter();
        let groups: Vec<_> = syntax
            .results
            .iter()
            .filter_map(|(_, count)| {
                let name = names.of(*results.by_ref().take(*count).next()?);
                results.by_ref().take(count.saturating_sub(1)).count();
                let base = name.split('#').next().unwrap_or(name);
                Some(if *count == 1 { format!("%{base}") } else { format!("%{base}:{count}") })
            })
            .collect();
        if !groups.is_empty() {
            let _ = write!(self.text, "{} = ", groups.join(", "));
        }
        if syntax.name == "sdy.named_computation" && !self.is_pass {
            return self.call(operation, names);
        }
        let top = 1 + usize::from(self.imported.module.has_braces);
        for (at, piece) in syntax.pieces.iter().enumerate() {
            match *piece {
                Piece::Text(text) => {
                    // The names of some operations change.
                    let renamed = match (at, syntax.name) {
                        (0, "stablehlo.constant") if !self.is_pass => Some("sdy.constant"),
                        (0, "sdy.sharding_constraint") if !self.is_pass => Some("sdy.reshard"),
                        // The dialect is implied in the function itself, but not in bodies in it.
                        (0, "func.call") if indent == top && text.starts_with("func.call") => {
                            Some("call")
                        }
                        (0, "return" | "func.return")
                            if last && text.starts_with("func.return") =>
                        {
                            Some("return")
                        }
                        _ => None,
                    };
                    match renamed {
                        Some(name) => {
                            let (before, after) =
                                text.split_once(syntax.name).unwrap_or(("", text));
                            self.text += before;
                            self.text += name;
                            self.text += after;
                        }
                        None => self.text += text,
                    }
                    if syntax.name.ends_with(".constant")
                        && let Some(start) = text.find("dense")
                        && let Some(found) = self.long.get_mut(&text[start..])
                    {
                        let end = self.text.len();
                        *found = Some(end - (text.len() - start)..end);
                    }
                }
                Piece::Operand(at) => {
                    let _ = write!(self.text, "%{}", names.of(operation.operands[at]));
                }
                Piece::Argument(at) => {
                    let arguments = operation.regions.first().map(|region| &region.arguments);
                    let argument = arguments.and_then(|arguments| arguments.get(at));
                    let _ = write!(self.text, "%{}", argument.map_or("", |value| names.of(*value)));
                }
                Piece::Region(at) => {
                    self.text.push('\n');
                    let region = &operation.regions[at];
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
                Piece::Attributes(written, keyword) => {
                    if syntax.name == "sdy.data_flow_edge" {
                        let own = self.imported.shardings[operation.results[0]].clone();
                        if let Some(own) = own {
                            let _ = write!(self.text, " sharding={}", self.shown(own));
                        }
                        continue;
                    }
                    let sharding = self.sharding(operation);
                    let attributes = with_sharding(written, sharding.as_deref());
                    if !attributes.is_empty() {
                        self.text += if keyword { " attributes {" } else { " {" };
                        self.text += &attributes;
                        self.text.push('}');
                    }
                }
                Piece::Callee => {
                    let place = (operation.syntax, operation.results.first().copied());
                    let name = self.callees.get(&place);
                    let name = name.map_or(syntax.callee, |name| name);
                    let _ = write!(self.text, "{}", Symbol(name));
                }
                Piece::Constraint => {
                    let own = operation
                        .results
                        .first()
                        .and_then(|value| self.imported.shardings[*value].clone());
                    if let Some(sharding) = own.or_else(|| syntax.constraint.clone()) {
                        let _ = write!(self.text, "{}", self.shown(sharding));
                    }
                }
                Piece::Summed => {
                    let unreduced = |value: Option<&Number>| {
                        let own = value.and_then(|value| self.imported.shardings[*value].as_ref());
                        own.map_or(&[][..], |own| &own.unreduced)
                    };
                    let left = unreduced(operation.results.first());
                    let axes = unreduced(operation.operands.first()).iter();
                    let axes = axes.filter(|axis| !left.contains(axis)).map(ToString::to_string);
                    let taken = operation.operands.first();
                    let taken = taken.and_then(|value| self.imported.shardings[*value].as_ref());
                    let word = match taken.map(|own| own.reduction) {
                        Some(ReductionOp::Max) => "max ",
                        Some(ReductionOp::Min) => "min ",
                        _ => "",
                    };
                    let _ = write!(self.text, "{word}{{{}}}", axes.collect::<Vec<_>>().join(", "));
                }
                Piece::Border { operands } => {
                    let own = match operands {
                        true => &syntax.operand_border,
                        false => &syntax.result_border,
                    };
                    let shardings = match operands {
                        _ if self.is_continued(operation) => {
                            own.iter().cloned().map(Some).collect()
                        }
                        true => self.entered(operation),
                        false => self.imported.all(&operation.results),
                    };
                    // A value that is not a tensor keeps its written text.
                    let values = match operands {
                        true => &operation.operands,
                        false => &operation.results,
                    };
                    let written = values.iter().zip(own).map(|(value, own)| {
                        let is_tensor = self.imported.module.dims(*value).is_some();
                        (self.is_pass && !is_tensor).then(|| own.clone())
                    });
                    let list: Vec<_> = written
                        .chain(core::iter::repeat(None))
                        .zip(shardings)
                        .filter_map(|(written, sharding)| written.or(sharding))
                        .map(|sharding| self.shown(sharding).to_string())
                        .collect();
                    let _ = write!(self.text, "[{}]", list.join(", "));
                }
            }
        }
    }

    /// Whether edges continue the results of an operation: they then have the shardings instead of the operation.
    fn is_continued(&self, operation: &Operation) -> bool {
        operation.results.iter().any(|result| self.edges.contains(result))
    }

    /// The shardings in which a manual computation reads its operands.
    fn entered(&self, operation: &Operation) -> Vec<Option<TensorSharding>> {
        let Some(region) = operation.regions.first() else { return Vec::new() };
        let outside = region
            .arguments
            .iter()
            .map(|argument| self.imported.graph.outside_sharding(self.imported.values[*argument]?));
        outside.collect()
    }

    /// A body with a name, as a call of its function.
    fn call(&mut self, operation: &Operation, names: &Names) {
        let place = (operation.syntax, operation.results.first().copied());
        let name = self.callees.get(&place).cloned().unwrap_or_default();
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
            Symbol(&name),
            operands.join(", "),
            types(&operation.operands).join(", ")
        );
        self.text += &text;
    }

    /// The shardings of the results of an operation, if one of them has one.
    fn sharding(&self, operation: &Operation) -> Option<String> {
        let name = self.imported.module.name(operation);
        if matches!(name, "sdy.sharding_constraint" | "sdy.reshard" | "sdy.manual_computation") {
            return None;
        }
        let mut shardings: Vec<_> =
            self.imported.all(&operation.results).into_iter().flatten().collect();
        if operation.results.is_empty() || self.is_continued(operation) {
            shardings.clone_from(&self.imported.module.syntax(operation).shardings);
        }
        if shardings.is_empty() {
            return None;
        }
        let shardings = shardings.into_iter().map(|sharding| self.shown(sharding).to_string());
        let list = shardings.collect::<Vec<_>>().join(", ");
        Some(format!("#sdy.sharding_per_value<[{list}]>"))
    }
}

/// Whether an unused operation disappears by the end of Shardy's pipeline.
fn is_removed(name: &str) -> bool {
    rules::is_pure(name)
        || matches!(
            name,
            "sdy.sharding_constraint"
                | "stablehlo.while"
                | "stablehlo.case"
                | "stablehlo.if"
                | "stablehlo.optimization_barrier"
        )
}
