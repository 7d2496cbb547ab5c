//! The operations that a module executes, in order, with calls replaced by the bodies of their functions.

use super::attributes::attributes;
use super::bodies::bodies;
use super::graph::{Taken, manual_axes};
use super::tree::{Number, Operation, Piece, Region, Syntax};
use super::{Imported, Root, rules};
use crate::dtype::DType;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{Attributes, Mlir, PartialSums, tensor_type};
use crate::sharding::program::sums::Sums;
use crate::sharding::program::tasks::{
    Body, Constant, Execution, NotRunnable, Task, border, unreduced,
};
use crate::sharding::program::{Call, mesh_of};
use crate::sharding::tensor::TensorSharding;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest length of a constant's text that is stored separately. Longer texts are looked up in the printed module.
const MAX_OWN: usize = 1 << 10;

/// The name of an operation without its dialect; Shardy's collectives are executed as a `reshard`.
pub(super) fn short(name: &str) -> &str {
    if rules::is_collective(name) {
        return "reshard";
    }
    let known = ["stablehlo.", "chlo.", "sdy."];
    known.iter().find_map(|dialect| name.strip_prefix(dialect)).unwrap_or(name)
}

/// The text with the elements of a constant.
pub(super) fn elements<'t>(syntax: &Syntax<'t>) -> Option<&'t str> {
    let texts = syntax.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(*text),
        _ => None,
    });
    let mut texts = syntax.value("value").into_iter().chain(texts);
    texts.find_map(|text| text.find("dense").map(|at| &text[at..]))
}

pub(super) struct Executor<'a, 't> {
    imported: &'a Imported<'t>,
    text: &'t str,
    meshes: &'a [(String, Mesh)],
    /// The values of the program by their number in the module.
    numbers: &'a BTreeMap<Number, usize>,
    /// The operations with a sharding rule, and their numbers by first result.
    calls: &'a [Call],
    ruled: BTreeMap<usize, usize>,
    unruled: BTreeMap<Number, &'a Taken>,
    lines: &'a BTreeMap<usize, usize>,
    /// For the value of each constraint, the value that it constrains.
    constrained: BTreeMap<usize, usize>,
    /// The values that have been computed so far, and the order in which they were added.
    made: BTreeSet<usize>,
    added: Vec<usize>,
    execution: Execution,
    long: Vec<(usize, &'t str)>,
    attributes: Vec<(usize, Attributes)>,
    operations: BTreeMap<usize, &'a Operation>,
}

/// The operations that are executed by the function that the program runs.
pub(super) struct Executed<'a, 't> {
    pub(super) execution: Execution,
    /// The constants with a long text, by the number of their operation.
    pub(super) long: Vec<(usize, &'t str)>,
    /// The arguments, other than operands, of the operations with a rule, by their number.
    pub(super) attributes: Vec<(usize, Attributes)>,
    /// The operations by number.
    pub(super) operations: BTreeMap<usize, &'a Operation>,
}

impl<'a, 't> Executor<'a, 't> {
    pub(super) fn new(
        imported: &'a Imported<'t>,
        text: &'t str,
        meshes: &'a [(String, Mesh)],
        numbers: &'a BTreeMap<Number, usize>,
        calls: &'a [Call],
        lines: &'a BTreeMap<usize, usize>,
    ) -> Self {
        let ruled = calls.iter().enumerate().map(|(at, call)| (call.results[0], at)).collect();
        let unruled = imported.unruled.iter();
        let unruled = unruled.filter_map(|taken| Some((*taken.results.first()?, taken))).collect();
        Self {
            imported,
            text,
            meshes,
            numbers,
            calls,
            ruled,
            unruled,
            lines,
            constrained: BTreeMap::new(),
            made: BTreeSet::new(),
            added: Vec::new(),
            execution: Execution::default(),
            long: Vec::new(),
            attributes: Vec::new(),
            operations: BTreeMap::new(),
        }
    }

    pub(super) fn executed(mut self) -> Executed<'a, 't> {
        if let Some(root) = self.imported.entry() {
            self.root(root);
        }
        let Self { execution, long, attributes, operations, .. } = self;
        Executed { execution, long, attributes, operations }
    }

    fn root(&mut self, root: &'a Root) {
        let region = &root.region;
        let unknown = |value: &Number| !self.numbers.contains_key(value);
        if region.arguments.iter().chain(region.returned()).any(unknown) {
            let message = "it takes or returns values that are not tensors of known size";
            self.refuse("func.func", self.imported.module.functions[root.function].at, message);
        }
        let function = &self.imported.module.functions[root.function];
        let returned = region.returned().iter().map(|at| &self.imported.module.values[*at].ty);
        let mut pairs = returned.zip(function.results.iter().map(|border| &border.ty));
        if let Some((from, to)) = pairs.find(|(from, to)| from.dims != to.dims) {
            let message = format!("it returns `{}`, not `{}`", from.text, to.text);
            self.refuse("func.func", function.at, &message);
        }
        self.constraints(region);
        let numbers = self.numbers;
        self.make(region.arguments.iter().filter_map(|value| numbers.get(value)).copied());
        let mut tasks = Vec::with_capacity(region.operations.len());
        self.region(region, &mut tasks);
        self.execution.tasks = tasks;
    }

    fn refuse(&mut self, operation: &str, at: usize, message: &str) {
        let text = self.text;
        self.execution.refused.get_or_insert_with(|| NotRunnable {
            operation: short(operation).to_owned(),
            line: text.get(..at).map(|before| before.matches('\n').count() + 1),
            message: message.to_owned(),
        });
    }

    /// Whether the result of an operation is its operand, sharded by a constraint or after a barrier.
    fn is_same(&self, operation: &Operation) -> bool {
        let syntax = self.imported.module.syntax(operation);
        let is_one = operation.operands.len() == 1 && operation.results.len() == 1;
        match syntax.name {
            "stablehlo.optimization_barrier" => true,
            "sdy.sharding_constraint" | "sdy.propagation_barrier" => is_one,
            "stablehlo.custom_call" => is_one && syntax.constraint.is_some(),
            _ => false,
        }
    }

    fn constraints(&mut self, region: &Region) {
        for operation in &region.operations {
            if self.is_same(operation) {
                let pairs = operation.operands.iter().zip(&operation.results);
                let pairs = pairs.filter_map(|(from, to)| {
                    Some((*self.numbers.get(to)?, *self.numbers.get(from)?))
                });
                self.constrained.extend(pairs);
            }
            operation.regions.iter().for_each(|region| self.constraints(region));
        }
    }

    fn region(&mut self, region: &'a Region, tasks: &mut Vec<Task>) {
        for operation in &region.operations {
            if self.operation(operation, tasks).is_none() {
                let syntax = self.imported.module.syntax(operation);
                let message = match self.has_token(operation) {
                    true => {
                        "it takes or returns a token: the effects that a token orders happen once, but each device would repeat them"
                    }
                    false => "it takes or returns values that are not tensors of known size",
                };
                self.refuse(syntax.name, syntax.at, message);
            }
        }
    }

    fn has_token(&self, operation: &Operation) -> bool {
        let mut values = operation.operands.iter().chain(&operation.results);
        values.any(|value| self.imported.module.values[*value].ty.text.ends_with(".token"))
    }

    fn number(&self, value: Number) -> Option<usize> {
        self.numbers.get(&value).copied()
    }

    fn list(&self, values: &[Number]) -> Option<Vec<usize>> {
        values.iter().map(|value| self.number(*value)).collect()
    }

    /// Records values that have been computed.
    fn make(&mut self, values: impl IntoIterator<Item = usize>) {
        let is_new = |value: &usize| self.made.insert(*value);
        self.added.extend(values.into_iter().filter(is_new));
    }

    /// Assigns a value to another one, unless that has already been computed.
    fn assign_one(&mut self, (from, to): (usize, usize), tasks: &mut Vec<Task>) {
        if !self.made.contains(&to) {
            self.make([to]);
            tasks.push(Task::Assign { from, to });
        }
    }

    fn assign(&mut self, from: &[Number], to: &[Number], tasks: &mut Vec<Task>) -> Option<()> {
        for (from, to) in from.iter().zip(to) {
            let pair = (self.number(*from)?, self.number(*to)?);
            self.assign_one(pair, tasks);
        }
        Some(())
    }

    /// Refuses an operation of which values become other values, unless these have the same types.
    fn keep_types(&mut self, operation: &Operation, from: &[Number], to: &[Number]) {
        let module = &self.imported.module;
        let [from, to] = [from, to].map(|values| values.iter().map(|at| &module.values[*at].ty));
        if from.len() != to.len() {
            let (syntax, counts) = (module.syntax(operation), (from.len(), to.len()));
            let message = format!("{} values become {} values", counts.0, counts.1);
            return self.refuse(syntax.name, syntax.at, &message);
        }
        let differ =
            from.zip(to).find(|(from, to)| (&from.dims, from.dtype) != (&to.dims, to.dtype));
        if let Some((from, to)) = differ {
            let syntax = module.syntax(operation);
            let message =
                format!("a value of type `{}` becomes one of type `{}`", from.text, to.text);
            self.refuse(syntax.name, syntax.at, &message);
        }
    }

    /// Refuses a loop or a choice unless the values that decide what runs are one scalar of this type, of which every device has
    /// the whole.
    fn decides(&mut self, operation: &Operation, values: &[Number], dtype: DType) {
        let module = &self.imported.module;
        let types = values.iter().map(|value| &module.values[*value].ty);
        let is_scalar = matches!(values, &[value] if {
            let ty = &module.values[value].ty;
            ty.dtype == Some(dtype) && ty.dims.as_deref() == Some(&[])
        });
        let partial = values.iter().filter_map(|value| {
            let own = self.imported.graph.sharding(self.imported.values[*value]?)?;
            (!own.unreduced.is_empty()).then_some(*value)
        });
        let why = match partial.min() {
            _ if !is_scalar => {
                let found: Vec<_> = types.map(|ty| ty.text).collect();
                let (expected, found) = (tensor_type(dtype, &[]), found.join(", "));
                format!("one `{expected}` decides what runs, not `({found})`")
            }
            Some(value) => unreduced(module.values[value].name),
            None => return,
        };
        let syntax = module.syntax(operation);
        self.refuse(syntax.name, syntax.at, &why);
    }

    /// A body that runs several times or not at all; the values that it computes do not exist after it.
    fn body(&mut self, region: &'a Region) -> Option<Body> {
        let arguments = self.list(&region.arguments)?;
        let before = self.added.len();
        self.make(arguments.iter().copied());
        let mut tasks = Vec::new();
        self.region(region, &mut tasks);
        for value in self.added.drain(before..) {
            self.made.remove(&value);
        }
        Some(Body { arguments, tasks, returned: self.list(region.returned())? })
    }

    /// Adds an operation; `None` if the program does not have its values.
    fn operation(&mut self, operation: &'a Operation, tasks: &mut Vec<Task>) -> Option<()> {
        let syntax = self.imported.module.syntax(operation);
        let name = syntax.name;
        if self.imported.is_call(operation) {
            let region = &operation.regions[0];
            self.keep_types(operation, &operation.operands, &region.arguments);
            self.keep_types(operation, region.returned(), &operation.results);
            self.assign(&operation.operands, &region.arguments, tasks)?;
            self.region(region, tasks);
            return self.assign(region.returned(), &operation.results, tasks);
        }
        if self.is_same(operation) {
            self.keep_types(operation, &operation.operands, &operation.results);
            return self.assign(&operation.operands, &operation.results, tasks);
        }
        match (name, &operation.regions[..]) {
            ("return" | "func.return" | "stablehlo.return" | "sdy.return", _)
            | ("sdy.sharding_group", _)
            // Operations that use a token are refused by themselves.
            | ("stablehlo.create_token" | "stablehlo.after_all", _) => return Some(()),
            ("stablehlo.while", [condition, body]) => {
                for to in [&condition.arguments, &body.arguments, &operation.results] {
                    self.keep_types(operation, &operation.operands, to);
                }
                self.keep_types(operation, body.returned(), &operation.results);
                self.decides(operation, condition.returned(), DType::PRED);
                let inputs = self.list(&operation.operands)?;
                let (condition, body) = (self.body(condition)?, self.body(body)?);
                let results = self.list(&operation.results)?;
                self.make(results.iter().copied());
                tasks.push(Task::While { inputs, condition, body, results });
                return Some(());
            }
            ("stablehlo.case", branches @ [_, ..]) | ("stablehlo.if", branches @ [_, _]) => {
                let dtype = if name == "stablehlo.if" { DType::PRED } else { DType::S32 };
                self.decides(operation, &operation.operands, dtype);
                let index = self.number(*operation.operands.first()?)?;
                for region in branches {
                    self.keep_types(operation, region.returned(), &operation.results);
                }
                let branches = branches.iter().map(|region| self.body(region));
                let branches = branches.collect::<Option<_>>()?;
                let results = self.list(&operation.results)?;
                self.make(results.iter().copied());
                tasks.push(Task::Case { index, branches, results });
                return Some(());
            }
            ("stablehlo.if", bodies) => {
                let message = format!("it has {} bodies, not two", bodies.len());
                self.refuse(name, syntax.at, &message);
                return Some(());
            }
            ("sdy.manual_computation", [region]) => {
                tasks.push(self.manual(operation, region)?);
                return Some(());
            }
            _ => {}
        }
        let Some(&first) = operation.results.first() else {
            let message = "it has no result, only an effect, which each device would repeat";
            self.refuse(name, syntax.at, message);
            return Some(());
        };
        let number = match self.ruled.get(&self.number(first)?) {
            Some(&ruled) => ruled,
            None => self.without_rule(operation, first)?,
        };
        let calls = self.calls.get(number);
        let operands = calls.map_or(&[][..], |call| &call.operands);
        for &operand in operands {
            // Propagation may make an operation read a constraint that follows it.
            if let Some(&from) = self.constrained.get(&operand) {
                self.assign_one((from, operand), tasks);
            }
        }
        let results = self.list(&operation.results)?;
        self.make(results);
        let bodies = bodies(&self.imported.module, operation);
        if !bodies.is_empty() {
            self.execution.bodies.insert(number, bodies);
        }
        if calls.is_some() {
            let attributes = attributes(&self.imported.module, operation);
            self.attributes.push((number, attributes));
        }
        self.operations.insert(number, operation);
        tasks.push(Task::Operation(number));
        Some(())
    }

    fn manual(&mut self, operation: &Operation, region: &'a Region) -> Option<Task> {
        let syntax = self.imported.module.syntax(operation);
        let axes: Vec<_> = manual_axes(syntax).collect();
        let body = self.body(region)?;
        let entries = operation.operands.iter().zip(&syntax.operand_border).zip(&region.arguments);
        let inputs = entries.map(|((value, to), inner)| Some((self.number(*value)?, to, *inner)));
        let inputs = inputs.collect::<Option<Vec<_>>>()?;
        let exits = operation.results.iter().zip(&syntax.result_border).zip(region.returned());
        let results =
            exits.map(|((value, from), inner)| Some((self.number(*value)?, from, *inner)));
        let results = results.collect::<Option<Vec<_>>>()?;
        let outer = |(value, written, inner): (usize, &TensorSharding, Number)| {
            let mesh = mesh_of(self.meshes, written);
            Ok((value, border(mesh, written, &axes, &self.sharding(inner, written))?))
        };
        let inputs = inputs.into_iter().map(outer).collect::<Result<_, String>>();
        let results = results.into_iter().map(outer).collect::<Result<Vec<_>, String>>();
        let (inputs, results) = match (inputs, results) {
            (Ok(inputs), Ok(results)) => (inputs, results),
            (Err(why), _) | (_, Err(why)) => {
                self.refuse(syntax.name, syntax.at, &why);
                return None;
            }
        };
        self.make(results.iter().map(|(value, _)| *value));
        Some(Task::Manual { axes, inputs, body, results })
    }

    /// The sharding of a value in a manual computation, on the mesh of its border.
    fn sharding(&self, value: Number, border: &TensorSharding) -> TensorSharding {
        let own = self.imported.values[value].and_then(|own| self.imported.graph.sharding(own));
        own.unwrap_or_else(|| {
            let rank = self.imported.module.dims(value).map_or(0, <[usize]>::len);
            TensorSharding::open(border.mesh.clone(), rank)
        })
    }

    /// Adds an operation that has no sharding rule. Returns its number.
    fn without_rule(&mut self, operation: &Operation, first: Number) -> Option<usize> {
        let syntax = self.imported.module.syntax(operation);
        let call = Call {
            name: short(syntax.name).to_owned(),
            operands: self.list(&operation.operands)?,
            results: self.list(&operation.results)?,
            op: self.unruled.get(&first)?.op,
            attributes: attributes(&self.imported.module, operation),
            partial: PartialSums::Never,
            mlir: Mlir::CustomCall,
            reshards: Vec::new(),
            planned: Vec::new(),
            sums: Sums::default(),
            line: self.lines.get(&syntax.at).copied(),
            refused: None,
            has_written_rule: false,
        };
        let number = self.calls.len() + self.execution.unruled.len();
        if call.name == "constant"
            && let Some(elements) = elements(syntax)
        {
            if elements.len() <= MAX_OWN {
                self.execution.constants.insert(number, Constant::Own(elements.into()));
            } else {
                self.long.push((number, elements));
            }
        }
        self.execution.unruled.push(call);
        Some(number)
    }
}
