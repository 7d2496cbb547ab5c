//! Reads programs in the form in which JAX, jaxlib and Shardy print them: StableHLO, CHLO and sdy.
//!
//! The text is read once, and cut at its values, so that it can be printed again. Before propagation, the importer changes a
//! program as Shardy's pipeline does: it splits constants, and then copies the bodies of functions into their calls.

mod attribute;
mod attributes;
mod bodies;
mod execute;
mod generic;
mod graph;
mod gspmd;
mod lift;
mod local;
mod local_collectives;
mod local_gather;
mod local_operation;
mod local_padding;
mod local_text;
mod local_update;
mod mentions;
mod merge;
mod names;
mod operation;
mod pass;
mod prepare;
mod print;
mod program;
mod read;
mod replace;
mod rules;
mod scan;
mod settle;
mod tree;
mod types;

use crate::sharding::mesh::Mesh;
use crate::sharding::ops::Mode;
use crate::sharding::program::mlir::SplitArgument;
use crate::sharding::program::{Overrides, Program};
use crate::sharding::propagation::{Graph, Strategy, Value};
use crate::sharding::tensor::{MeshRef, Symbol, TensorSharding};
use crate::syntax::{Diagnostic, ParseError};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use graph::{Builder, Taken};
use prepare::Inline;
use tree::{Module, Number, Region};

/// The reason why a text cannot be imported, and the position.
#[derive(Debug)]
struct Failure {
    at: usize,
    message: String,
    help: String,
}

impl Failure {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: String::new() }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// The same failure with the operation that it is about.
    fn of(mut self, operation: &str, at: usize) -> Self {
        if !self.message.starts_with("in `") {
            self.message = format!("in `{operation}`: {}", self.message);
            self.at = self.at.max(at);
        }
        self
    }

    fn in_text(self, text: &str) -> ParseError {
        let Self { at, message, help } = self;
        let span = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let span = span.unwrap_or(0);
        ParseError::new(text, vec![Diagnostic { span, message, help }])
    }
}

/// A function without callers.
struct Root {
    /// Its number in the module.
    function: usize,
    region: Region,
    /// The number of its first return in the graph; `None` if its results do not take part in propagation.
    first_return: Option<usize>,
    /// Whether it is only here because attributes of operations mention it. It is then no part of the program.
    is_mentioned: bool,
}

/// A module whose shardings are propagated.
struct Imported<'t> {
    module: Module<'t>,
    graph: Graph,
    values: Vec<Option<Value>>,
    roots: Vec<Root>,
    /// The functions without a body that are printed.
    declared: Vec<usize>,
    /// The operations with a rule.
    calls: Vec<Taken>,
    /// The other operations, except those that are edges.
    unruled: Vec<Taken>,
    /// The shardings of the values, once propagation is done.
    shardings: Vec<Option<TensorSharding>>,
}

impl Imported<'_> {
    /// The functions without callers, beginning with the one that the program runs.
    fn by_entry(&self) -> impl Iterator<Item = &Root> {
        let (before, rest) = self.roots.split_at(entry(&self.module, &self.roots));
        let (own, after) = rest.split_at(rest.len().min(1));
        own.iter().chain(before).chain(after)
    }

    /// The function that the program runs.
    fn entry(&self) -> Option<&Root> {
        self.by_entry().next()
    }
}

/// The number of the function that the program runs: `main` or, if there is none, the first function without callers.
fn entry(module: &Module<'_>, roots: &[Root]) -> usize {
    let is_run = |root: &Root| !root.is_mentioned;
    let is_main = |root: &Root| is_run(root) && module.functions[root.function].name == "main";
    roots.iter().position(is_main).or_else(|| roots.iter().position(is_run)).unwrap_or(0)
}

fn import<'t>(text: &'t str, overrides: &Overrides<'_>) -> Result<Imported<'t>, Failure> {
    let mut module = read::read(text)?;
    gspmd::import(&mut module)?;
    lift::inline_meshes(&mut module);
    if let Some(mesh) = &overrides.mesh {
        replace_mesh(&mut module, mesh.clone());
    }
    let bodies = bodies(&mut module)?;
    let names: Vec<_> = module.functions.iter().map(|function| function.name.clone()).collect();
    let mut called = BTreeSet::new();
    bodies.iter().for_each(|(_, body)| calls(&module, body, &mut called));
    let is_root = |at: usize| {
        let function = &module.functions[at];
        !called.contains(&*function.name) && (!function.is_private || bodies.len() == 1)
    };
    // If every function is called, the calls form a cycle, which is reported at the function from which it is entered.
    let circle = bodies.iter().map(|(at, _)| *at).next();
    let circle = circle.filter(|_| !bodies.iter().any(|(at, _)| is_root(*at)));
    let is_root = |at: usize| is_root(at) || Some(at) == circle;
    let own: BTreeSet<_> = bodies.iter().map(|(at, _)| *at).filter(|at| is_root(*at)).collect();
    let by_number = bodies.iter().map(|(at, body)| (*at, body)).collect();
    let found = mentions::mentions(&module, &by_number, own.iter().copied());
    let declared = declared(&by_number, found.reached);
    let by_name = bodies.iter().map(|(at, body)| (names[*at].clone(), body)).collect();
    let mut inline = Inline { bodies: by_name, open: Vec::new(), count: 0, depth: 0 };
    let mut imported = Vec::new();
    for (function, region) in &bodies {
        let is_mentioned = !own.contains(function);
        if is_mentioned && !found.mentioned.contains(function) {
            continue;
        }
        let mut region = region.clone();
        inline.open = vec![names[*function].clone()];
        inline.calls(&mut module, &mut region)?;
        let (function, first_return) = (*function, Some(0));
        imported.push(Root { function, region, first_return, is_mentioned });
    }
    let built = build(&module, &mut imported, overrides, Mode::Normal, false)?;
    let Built { graph, values, calls, unruled } = built;
    let (roots, shardings) = (imported, Vec::new());
    Ok(Imported { module, graph, values, roots, declared, calls, unruled, shardings })
}

/// Those of the functions that have no body, in the order of the module.
fn declared(bodies: &BTreeMap<usize, &Region>, mut functions: Vec<usize>) -> Vec<usize> {
    functions.retain(|at| !bodies.contains_key(at));
    functions.sort_unstable();
    functions
}

/// The bodies of functions with their numbers, in the form that propagation needs.
fn bodies(module: &mut Module<'_>) -> Result<Vec<(usize, Region)>, Failure> {
    let mut bodies = BTreeMap::new();
    for at in 0..module.functions.len() {
        if let Some(body) = module.functions[at].body.take() {
            bodies.insert(at, body);
        }
    }
    let functions = module.functions.iter().enumerate();
    let names: BTreeMap<_, _> = functions.map(|(at, function)| (&*function.name, at)).collect();
    let mut called = BTreeMap::new();
    for (at, body) in &bodies {
        let mut of_body = BTreeSet::new();
        calls(module, body, &mut of_body);
        let of_body = of_body.iter().filter_map(|name| names.get(name).copied());
        called.insert(*at, of_body.collect::<Vec<_>>());
    }
    let mut others = BTreeSet::new();
    for at in callees_first(&called) {
        let Some(body) = bodies.get_mut(&at) else { continue };
        if !prepare::split_constants(module, body, &others)? {
            others.insert(module.functions[at].name.clone());
        }
    }
    Ok(bodies.into_iter().collect())
}

/// The functions, each after the functions that it calls. `called` lists the calls of each function.
fn callees_first(called: &BTreeMap<usize, Vec<usize>>) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::with_capacity(called.len()), BTreeSet::new());
    for &first in called.keys() {
        let mut open = vec![(first, false)];
        while let Some((at, is_done)) = open.pop() {
            if is_done {
                order.push(at);
            } else if seen.insert(at) {
                open.push((at, true));
                let own = called.get(&at).into_iter().flatten();
                open.extend(own.rev().map(|callee| (*callee, false)));
            }
        }
    }
    order
}

/// Replaces the first mesh that has several devices or none, or adds the mesh if there is none.
fn replace_mesh(module: &mut Module<'_>, mesh: Mesh) {
    let at = module.meshes.iter().position(|(_, mesh, _)| !mesh.is_maximal());
    let name = at.map_or("mesh", |at| &module.meshes[at].0).to_owned();
    let text = format!("sdy.mesh {} = {mesh}", Symbol(&name));
    let new = (name, mesh, text.into());
    match at {
        Some(at) => module.meshes[at] = new,
        None => module.meshes.insert(0, new),
    }
}

/// The functions that a region calls.
fn calls<'m>(module: &'m Module<'_>, region: &Region, called: &mut BTreeSet<&'m str>) {
    for operation in &region.operations {
        let syntax = module.syntax(operation);
        if read::is_call(syntax.name) {
            called.insert(&syntax.callee);
        }
        operation.regions.iter().for_each(|region| calls(module, region, called));
    }
}

/// The graph of a module.
struct Built {
    graph: Graph,
    /// For each number, its value in the graph.
    values: Vec<Option<Value>>,
    calls: Vec<Taken>,
    unruled: Vec<Taken>,
}

fn build(
    module: &Module<'_>,
    roots: &mut [Root],
    overrides: &Overrides<'_>,
    mode: Mode,
    shares: bool,
) -> Result<Built, Failure> {
    let mut meshes = module.meshes.iter();
    let first = meshes.next().map(|(name, mesh, _)| (name.clone(), mesh.clone()));
    let (name, mesh) = first.unwrap_or_else(|| ("mesh".into(), Mesh::default()));
    let mut graph = Graph::new(name, mesh);
    for (name, mesh, _) in meshes {
        graph.add_any_mesh(name.clone(), mesh.clone());
    }
    graph.trace();
    let mut builder = Builder::new(module, graph);
    (builder.mode, builder.shares) = (mode, shares);
    let first = module.meshes.first().map_or("mesh", |(name, _, _)| name);
    let split = |given: Option<&SplitArgument<'_>>, value: Number| {
        let dims = given?(module.values[value].name, module.dims(value)?)?;
        Some(TensorSharding::new(MeshRef::Name(first.to_owned().into()), dims))
    };
    let given = |value: Number| split(overrides.values, value);
    let (entry, mut returns) = (entry(module, roots), 0);
    for (number, root) in roots.iter_mut().enumerate() {
        let function = &module.functions[root.function];
        match shares && root.first_return.is_none() {
            true => builder.shared_arguments(&root.region, function.at),
            false => builder.arguments(&root.region),
        }
        for (value, border) in root.region.arguments.iter().zip(&function.arguments) {
            let given = split(overrides.arguments.filter(|_| number == entry), *value);
            let sharding = given.as_ref().or(border.sharding.as_ref());
            builder.shard(*value, sharding, function.at, "func.func")?;
        }
        builder.given = (number == entry && overrides.values.is_some()).then_some(&given);
        builder.collect_seeds(&root.region);
        builder.region(&root.region)?;
        if let Some(first) = &mut root.first_return {
            *first = returns;
            returns += builder.returns(&root.region, function)?;
        }
    }
    builder.close_edges(roots)?;
    let Builder { graph, mut values, mut calls, mut unruled, unbounded, .. } = builder;
    // Unused operations affect propagation, but are no part of the program.
    let mut used = BTreeSet::new();
    for root in roots {
        prepare::without_unused(module, &mut root.region, rules::is_pure);
        collect_results(&root.region, &mut used);
    }
    for list in [&mut calls, &mut unruled] {
        list.retain(|taken| taken.results.iter().all(|result| used.contains(result)));
    }
    for (argument, value) in unbounded {
        values[argument] = Some(value);
    }
    Ok(Built { graph, values, calls, unruled })
}

/// Collects the results of the operations of a region.
fn collect_results(region: &Region, results: &mut BTreeSet<Number>) {
    for operation in &region.operations {
        results.extend(&operation.results);
        operation.regions.iter().for_each(|region| collect_results(region, results));
    }
}

/// The program of a module.
pub(super) fn program(text: &str, overrides: &Overrides<'_>) -> Result<Program, ParseError> {
    let imported = import(text, overrides).map_err(|failure| failure.in_text(text))?;
    Ok(program::of(imported, text, false).0)
}

/// The text of a module after one pass of propagation.
pub(super) fn pass(text: &str, strategy: Strategy, mode: Mode) -> Result<String, ParseError> {
    pass::pass(text, strategy, mode).map_err(|failure| failure.in_text(text))
}

/// The text of a module after the pipeline, with functions that calls share.
pub(super) fn shared(text: &str) -> Result<String, ParseError> {
    pass::shared(text).map_err(|failure| failure.in_text(text))
}

/// The local program of a module.
pub(super) fn local(text: &str, overrides: &Overrides<'_>) -> Result<String, ParseError> {
    let local = import(text, overrides).and_then(|imported| {
        let (program, kept) = program::of(imported, text, true);
        local::local(&program, &kept, text)
    });
    local.map_err(|failure| failure.in_text(text))
}
