//! The program of a module: its values by name, and the communication of the devices.

use super::Imported;
use super::execute::{Executed, Executor, elements, short};
use super::graph::Taken;
use super::names::Names;
use super::print;
use super::tree::{Module, Number, Operation, Region};
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{self, Attributes, Mlir, PartialSums};
use crate::sharding::program::describe::MAX_TABLES;
use crate::sharding::program::moves::{Move, moves};
use crate::sharding::program::plan::{plan, redirect};
use crate::sharding::program::sums::{Sums, other_reduction};
use crate::sharding::program::tasks::Constant;
use crate::sharding::program::traffic::traffic;
use crate::sharding::program::{Call, Literal, NamedValue, Program, mesh_of};
use crate::sharding::propagation::{Strategy, propagate};
use crate::sharding::tensor::{MeshRef, TensorSharding};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The values of a program so far.
struct Values<'i, 't> {
    imported: &'i Imported<'t>,
    meshes: &'i [(String, Mesh)],
    values: Vec<NamedValue>,
    /// The values of the program by their number in the module.
    numbers: BTreeMap<Number, usize>,
    taken: BTreeSet<String>,
    /// The number of values that had a name that was taken.
    copies: BTreeMap<String, usize>,
}

impl<'i, 't> Values<'i, 't> {
    /// The values of all functions without callers, and the number of parameters of the function that the program runs. In the
    /// others, the names of values begin with the name of their function.
    fn of(imported: &'i Imported<'t>, meshes: &'i [(String, Mesh)]) -> (Self, usize) {
        let mut values = Self {
            imported,
            meshes,
            values: Vec::new(),
            numbers: BTreeMap::new(),
            taken: BTreeSet::new(),
            copies: BTreeMap::new(),
        };
        let mut parameters = 0;
        for (at, root) in imported.by_entry().filter(|root| !root.is_mentioned).enumerate() {
            let names = Names::new(&imported.module, &root.region);
            let own = &imported.module.functions[root.function].name;
            let prefix = if at == 0 { String::new() } else { format!("{own}.") };
            root.region.arguments.iter().for_each(|value| values.add(*value, &prefix, &names));
            if at == 0 {
                parameters = values.values.len();
            }
            values.region(&root.region, &prefix, &names);
        }
        (values, parameters)
    }

    /// Adds a value, if it is a tensor of known size.
    fn add(&mut self, number: Number, prefix: &str, names: &Names) {
        let ty = &self.imported.module.values[number].ty;
        let (Some(dims), Some(dtype)) = (&ty.dims, ty.dtype) else { return };
        let Some(value) = self.imported.values[number] else { return };
        let replicated = || {
            let (name, mesh) = &self.meshes[self.imported.graph.default_mesh()];
            let rank = if mesh.is_maximal() { 0 } else { dims.len() };
            TensorSharding::closed(MeshRef::Name(name.clone().into()), rank)
        };
        let sharding = self.imported.graph.sharding(value).unwrap_or_else(replicated);
        let mesh = mesh_of(self.meshes, &sharding);
        let Ok(shards) = Shards::new(&sharding, mesh, dims, Padding::Allowed) else { return };
        let base = format!("{prefix}{}", names.of(number));
        let copies = self.copies.entry(base.clone()).or_insert(0);
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            *copies += 1;
            name = format!("{base}.{copies}");
        }
        self.numbers.insert(number, self.values.len());
        let (dims, unbounded) = (dims.clone(), 0);
        self.values.push(NamedValue { name, dtype, dims, sharding, shards, unbounded, value });
    }

    /// Adds the values that a region computes. In a function that is called, their names begin with the name of the function.
    fn region(&mut self, region: &Region, prefix: &str, names: &Names) {
        for operation in &region.operations {
            let callee = &self.imported.module.syntax(operation).callee;
            let prefix = match self.imported.is_call(operation) {
                true => &format!("{prefix}{callee}."),
                false => prefix,
            };
            for region in &operation.regions {
                region.arguments.iter().for_each(|value| self.add(*value, prefix, names));
                self.region(region, prefix, names);
            }
        }
        for operation in &region.operations {
            operation.results.iter().for_each(|value| self.add(*value, prefix, names));
        }
    }
}

/// The lines, counted from 1, of positions in a text.
fn lines(text: &str, positions: impl Iterator<Item = usize>) -> BTreeMap<usize, usize> {
    let mut lines: BTreeMap<usize, usize> = positions.map(|at| (at, 0)).collect();
    let (mut start, mut line) = (0, 1);
    for (&at, found) in &mut lines {
        line += text.as_bytes()[start..at].iter().filter(|byte| **byte == b'\n').count();
        (start, *found) = (at, line);
    }
    lines
}

/// The parts of a module that are kept after its program is made.
pub(super) struct Kept<'t> {
    pub(super) module: Module<'t>,
    /// The operations that the program executes, by number, if they should be kept.
    pub(super) operations: BTreeMap<usize, Operation>,
    /// The position at which the function of the program begins.
    pub(super) at: usize,
    /// The number of other functions without callers.
    pub(super) others: usize,
}

/// Propagates, and collects the results.
pub(super) fn of<'t>(
    mut imported: Imported<'t>,
    text: &'t str,
    keeps_operations: bool,
) -> (Program, Kept<'t>) {
    let calls = core::mem::take(&mut imported.calls);
    // Tables of thousands of operations are not useful to a reader.
    let described = if calls.len() <= MAX_TABLES { &calls[..] } else { &[] };
    let before = described.iter().map(|call| imported.graph.factor_table(call.op));
    let before: Vec<_> = before.collect();
    let taken = calls.iter().chain(&imported.unruled);
    let lines = lines(text, taken.map(|call| imported.module.syntax[call.syntax].at));
    propagate(&mut imported.graph, Strategy::UserPriority);
    let module = &imported.module;
    let mut meshes: Vec<_> =
        module.meshes.iter().map(|(name, mesh, _)| (name.clone(), mesh.clone())).collect();
    if meshes.is_empty() {
        meshes.push(("mesh".to_owned(), Mesh::default()));
    }
    let (values, parameters) = Values::of(&imported, &meshes);
    let Values { values, numbers, .. } = values;
    let (mut planned, mut tables) = (Vec::new(), Vec::new());
    let by_value = values.iter().enumerate().map(|(at, value)| (value.value, at)).collect();
    let made: BTreeMap<_, _> = calls
        .iter()
        .chain(&imported.unruled)
        .filter_map(|taken| Some((*taken.results.first()?, taken)))
        .collect();
    for (at, taken) in calls.iter().enumerate() {
        let Some(mut call) = call(taken, module, &numbers) else { continue };
        let padding = taken.operands.get(1).filter(|_| call.name == "pad");
        if padding.is_some_and(|value| !is_zero(*value, module, &made)) {
            call.partial = PartialSums::Extremes(&[0]);
        }
        call.line = lines.get(&module.syntax[taken.syntax].at).copied();
        redirect(&mut call, &imported.graph, &by_value);
        match plan(&call, &imported.graph, &values, &meshes, &by_value) {
            Ok(found) => (call.planned, call.sums) = found,
            // For any other conflict, devices collect whole operands.
            Err((message, _)) => {
                let mut results = call.results.iter().map(|at| &values[*at].sharding);
                let is_partial = results.any(|own| !own.unreduced.is_empty());
                call.refused = is_partial.then_some(message);
            }
        }
        planned.push(call);
        tables.extend(before.get(at).cloned());
    }
    let returns = returns(&imported, &meshes, &values, &numbers);
    let executor = Executor::new(&imported, text, &meshes, &numbers, &planned, &lines);
    let Executed { mut execution, long, attributes, operations } = executor.executed();
    let operations = operations.into_iter().filter(|_| keeps_operations);
    let operations = operations.map(|(number, operation)| (number, operation.clone())).collect();
    for (number, attributes) in attributes {
        let call = &mut planned[number];
        call.attributes = attributes;
        call.refused = call.refused.take().or_else(|| other_reduction(call, &values));
    }
    imported.settle(&calls);
    let (text, found) = print::pipeline(&imported, long.iter().map(|(_, text)| *text));
    for (number, text) in long {
        if let Some(Some(range)) = found.get(text) {
            execution.constants.insert(number, Constant::Within(range.clone()));
        }
    }
    let first = imported.entry().map(|root| &imported.module.functions[root.function]);
    let at = first.map_or(0, |function| function.at);
    let mut program = Program {
        name: first.map_or_else(String::new, |function| function.name.clone().into_owned()),
        meshes,
        constants: Vec::new(),
        values,
        calls: planned,
        nodes: Vec::new(),
        returns,
        parameters,
        graph: imported.graph,
        collectives: Vec::new(),
        before: tables,
        imported: Some(text),
        execution,
    };
    program.collectives = traffic(&program);
    let others = imported.roots.iter().filter(|root| !root.is_mentioned);
    let others = others.count().saturating_sub(1);
    (program, Kept { module: imported.module, operations, at, others })
}

/// An operation between values of the program, before its reshards are planned. `None` if it has no results, or if one of its
/// tensors is not a value of the program.
fn call(taken: &Taken, module: &Module<'_>, numbers: &BTreeMap<Number, usize>) -> Option<Call> {
    let of = |list: &[Number]| -> Option<Vec<usize>> {
        list.iter().map(|number| numbers.get(number).copied()).collect()
    };
    let (operands, results) = (of(&taken.operands)?, of(&taken.results)?);
    if results.is_empty() {
        return None;
    }
    let full = module.syntax[taken.syntax].name;
    let name = full.strip_prefix("stablehlo.").unwrap_or(full);
    Some(Call {
        name: name.to_owned(),
        reshards: (0..operands.len()).collect(),
        operands,
        results,
        op: taken.op,
        attributes: Attributes::new(),
        partial: ops::find(name).map_or(PartialSums::Never, |row| row.sums),
        mlir: Mlir::CustomCall,
        planned: Vec::new(),
        sums: Sums::default(),
        line: None,
        refused: None,
        has_written_rule: taken.has_written_rule,
    })
}

/// Whether all elements of a value are the constant zero.
fn is_zero(mut value: Number, module: &Module<'_>, made: &BTreeMap<Number, &Taken>) -> bool {
    while let Some(taken) = made.get(&value) {
        let syntax = &module.syntax[taken.syntax];
        match (short(syntax.name), &taken.operands[..]) {
            ("broadcast_in_dim" | "convert" | "reshape", &[from]) => value = from,
            ("constant", []) => {
                let literal = elements(syntax).and_then(Literal::parse);
                return literal.is_some_and(|literal| literal.is_zero());
            }
            _ => return false,
        }
    }
    false
}

/// The results of the function that the program runs: the value, its sharding, and how devices reshard it.
fn returns(
    imported: &Imported<'_>,
    meshes: &[(String, Mesh)],
    values: &[NamedValue],
    numbers: &BTreeMap<Number, usize>,
) -> Vec<(usize, TensorSharding, Vec<Move>)> {
    let Some(root) = imported.entry() else { return Vec::new() };
    let returned = root.region.returned().iter().enumerate();
    let returned = returned.filter_map(|(at, number)| {
        let value = *numbers.get(number)?;
        let own = &values[value];
        let to = root.first_return.and_then(|first| imported.graph.return_sharding(first + at));
        let to = to.unwrap_or_else(|| own.sharding.clone());
        let (from, over) = (mesh_of(meshes, &own.sharding), mesh_of(meshes, &to));
        let bits = own.dtype.stored_bits();
        let moves = moves((from, &own.sharding), (over, &to), &own.dims, bits);
        Some((value, to, moves.unwrap_or_default()))
    });
    returned.collect()
}
