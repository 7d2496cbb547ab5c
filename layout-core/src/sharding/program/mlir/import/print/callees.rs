//! The functions that are called: propagation finds the shardings of each call's body separately.

use super::super::Imported;
use super::super::tree::{Function, Number, Operation, Region};
use super::Export;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A call: the position of its text, and its first result.
type CallSite = (usize, Option<Number>);

fn site(operation: &Operation) -> CallSite {
    (operation.syntax, operation.results.first().copied())
}

/// The name of the function that each call calls.
#[derive(Default)]
pub(super) struct Callees(BTreeMap<CallSite, String>);

impl Callees {
    pub(super) fn get(&self, operation: &Operation) -> Option<&str> {
        self.0.get(&site(operation)).map(String::as_str)
    }

    /// The name of the function that an operation calls, if its body became a function.
    fn exported(&self, operation: &Operation) -> Option<&str> {
        self.get(operation).filter(|_| operation.regions.len() == 1)
    }
}

/// Turns the bodies of calls into functions: first one function for each call, since propagation found shardings for each call
/// separately; then one function for all calls with the same shardings.
pub(super) struct Exports<'i, 't> {
    imported: &'i Imported<'t>,
    /// The functions of the module by name.
    functions: BTreeMap<&'i str, &'i Function<'t>>,
    exports: Vec<Export<'i, 't>>,
    /// The position of each function in `exports`.
    positions: BTreeMap<String, usize>,
    callees: Callees,
    /// The names of functions so far, and the number of conflicts.
    taken: BTreeSet<String>,
    conflicts: usize,
}

impl<'i, 't> Exports<'i, 't> {
    pub(super) fn new(imported: &'i Imported<'t>) -> Self {
        let roots = imported.roots.iter().map(|root| root.function);
        let taken = roots.chain(imported.declared.iter().copied());
        let name = |at: usize| imported.module.functions[at].name.clone().into_owned();
        let functions = imported.module.functions.iter();
        Self {
            imported,
            functions: functions.map(|function| (&*function.name, function)).collect(),
            exports: Vec::new(),
            positions: BTreeMap::new(),
            callees: Callees::default(),
            taken: taken.map(name).collect(),
            conflicts: 0,
        }
    }

    /// Adds the functions that a region calls, each after the functions that it calls.
    pub(super) fn add(&mut self, region: &Region) {
        for operation in &region.operations {
            let imported = self.imported;
            let syntax = imported.module.syntax(operation);
            if !imported.is_call(operation) {
                operation.regions.iter().for_each(|region| self.add(region));
                continue;
            }
            let body = operation.regions[0].clone();
            self.add(&body);
            let arguments = self.imported.all(&body.arguments);
            let results = body.returned().iter().map(|value| {
                let dims = imported.module.dims(*value).unwrap_or(&[]);
                let own = imported.shardings[*value].clone();
                own.map(|own| imported.divisible(own, dims, false))
            });
            let results: Vec<_> = results.collect();
            let name = self.unique(&syntax.callee);
            self.callees.0.insert(site(operation), name.clone());
            let function = self.functions.get(&*syntax.callee).copied();
            self.positions.insert(name.clone(), self.exports.len());
            let (is_declared, region) = (false, body);
            let export = Export { name, function, is_declared, region, arguments, results };
            self.exports.push(export);
        }
    }

    /// The functions that are printed after `roots`, which call them, and the function of each call.
    pub(super) fn finish(mut self, roots: &mut Vec<Export<'i, 't>>) -> Callees {
        self.share(roots);
        let mut reached = BTreeSet::new();
        roots.iter().for_each(|root| self.reach(&root.region, &mut reached));
        roots.extend(self.exports.into_iter().filter(|export| reached.contains(&export.name)));
        self.callees
    }

    /// Merges copies of a function that have the same shardings into the copy that is called first in the module.
    fn share(&mut self, roots: &[Export<'i, 't>]) {
        let mut calls = Vec::new();
        let exports = roots.iter().chain(&self.exports);
        exports.for_each(|export| self.collect_calls(&export.region, &mut calls));
        let mut known: BTreeMap<(&str, String), String> = BTreeMap::new();
        for (call, callee) in calls {
            let Some(name) = self.callees.0.get(&call) else { continue };
            let Some(export) = self.positions.get(name).map(|at| &self.exports[*at]) else {
                continue;
            };
            // Before they are divided: Shardy divides the arguments of functions later.
            let arguments = export.region.arguments.iter().map(|value| {
                self.imported.values[*value].and_then(|value| self.imported.graph.sharding(value))
            });
            let arguments: Vec<_> = arguments.collect();
            let results = self.imported.all(export.region.returned());
            let border = format!("{:?}", (arguments, results));
            let known = known.entry((callee, border)).or_insert_with(|| name.clone());
            self.callees.0.insert(call, known.clone());
        }
    }

    /// Collects the calls in a region, with the function that each of them calls in the module as it was read.
    fn collect_calls(&self, region: &Region, calls: &mut Vec<(CallSite, &'i str)>) {
        for operation in &region.operations {
            match self.callees.exported(operation) {
                Some(_) => {
                    let imported = self.imported;
                    calls.push((site(operation), &*imported.module.syntax(operation).callee));
                }
                None => {
                    operation.regions.iter().for_each(|region| self.collect_calls(region, calls));
                }
            }
        }
    }

    /// The name, or the name with a number if another function has it.
    fn unique(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        while self.taken.contains(&name) {
            name = format!("{base}_{}", self.conflicts);
            self.conflicts += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// Collects the names of the functions that a region calls, directly or indirectly.
    fn reach(&self, region: &Region, reached: &mut BTreeSet<String>) {
        for operation in &region.operations {
            let Some(name) = self.callees.exported(operation) else {
                operation.regions.iter().for_each(|region| self.reach(region, reached));
                continue;
            };
            if reached.insert(name.to_owned())
                && let Some(at) = self.positions.get(name)
            {
                self.reach(&self.exports[*at].region, reached);
            }
        }
    }
}
