//! Reads programs as JAX, jaxlib and Shardy print them: StableHLO, CHLO and sdy.
//!
//! The text is read once and cut where its values stand, so that it can be printed again. What the importer does to a
//! program before propagation, Shardy's pipeline does as well, in this order: unused operations are left out, constants
//! are split, and calls get the bodies of their functions.

mod attribute;
mod graph;
mod merge;
mod names;
mod operation;
mod prepare;
mod print;
mod program;
mod read;
mod rules;
mod scan;
mod settle;
mod tree;
mod types;

use crate::sharding::TensorSharding;
use crate::sharding::mesh::Mesh;
use crate::sharding::program::Program;
use crate::sharding::propagation::{Graph, Value};
use crate::syntax::{Diagnostic, ParseError};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use graph::{Builder, Taken};
use prepare::Inline;
use tree::{Module, Region};

/// Why a text cannot be imported, and where.
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

    /// The same, with the operation that it is about.
    fn of(mut self, operation: &str, at: usize) -> Self {
        if !self.message.starts_with("in `") {
            self.message = format!("in `{operation}`: {}", self.message);
            self.at = self.at.max(at);
        }
        self
    }
}

/// A function that no other one calls.
struct Root {
    /// Its number in the module.
    function: usize,
    region: Region,
    /// The number of its first return in the graph.
    first_return: usize,
}

/// A module whose shardings are propagated.
struct Imported<'t> {
    module: Module<'t>,
    graph: Graph,
    values: Vec<Option<Value>>,
    roots: Vec<Root>,
    /// The operations with a rule.
    calls: Vec<Taken>,
    /// The shardings of the values, once propagation is done.
    shardings: Vec<Option<TensorSharding>>,
}

fn import(text: &str) -> Result<Imported<'_>, Failure> {
    let mut module = read::read(text)?;
    let mut bodies = Vec::new();
    for at in 0..module.functions.len() {
        let Some(mut body) = module.functions[at].body.take() else { continue };
        prepare::without_unused(&module, &mut body, rules::is_pure);
        prepare::split_constants(&mut module, &mut body);
        bodies.push((at, body));
    }
    let names: Vec<_> = module.functions.iter().map(|function| function.name).collect();
    let called = |region: &Region| {
        let mut called = Vec::new();
        calls(&module, region, &mut called);
        called
    };
    let all: Vec<_> = bodies.iter().flat_map(|(_, body)| called(body)).collect();
    let is_root = |at: usize| {
        let function = &module.functions[at];
        !all.contains(&function.name) && (!function.is_private || bodies.len() == 1)
    };
    let (roots, _): (Vec<_>, Vec<_>) = bodies.iter().partition(|(at, _)| is_root(*at));
    let roots: Vec<_> = roots.into_iter().cloned().collect();
    let by_name = bodies.iter().map(|(at, body)| (names[*at], body)).collect();
    let mut inline = Inline { bodies: by_name, open: Vec::new(), count: 0 };
    let mut imported = Vec::new();
    for (function, mut region) in roots {
        inline.open = vec![names[function]];
        inline.calls(&mut module, &mut region)?;
        imported.push(Root { function, region, first_return: 0 });
    }
    let (graph, values, calls) = build(&module, &mut imported)?;
    Ok(Imported { module, graph, values, roots: imported, calls, shardings: Vec::new() })
}

/// The functions that a region calls.
fn calls<'t>(module: &Module<'t>, region: &Region, called: &mut Vec<&'t str>) {
    for operation in &region.operations {
        let syntax = module.syntax(operation);
        if matches!(syntax.name, "call" | "func.call") && !called.contains(&syntax.callee) {
            called.push(syntax.callee);
        }
        operation.regions.iter().for_each(|region| calls(module, region, called));
    }
}

/// The graph of a module, the value in it of each number, and the calls that were taken apart.
type Built = (Graph, Vec<Option<Value>>, Vec<Taken>);

fn build(module: &Module<'_>, roots: &mut [Root]) -> Result<Built, Failure> {
    let mut meshes = module.meshes.iter();
    let first = meshes.next().map(|(name, mesh, _)| (name.clone(), mesh.clone()));
    let (name, mesh) = first.unwrap_or_else(|| ("mesh".into(), Mesh::default()));
    let mut graph = Graph::new(name, mesh);
    for (name, mesh, _) in meshes {
        graph.add_any_mesh(name.clone(), mesh.clone());
    }
    let mut builder = Builder::new(module, graph);
    let mut returns = 0;
    for root in roots {
        let function = &module.functions[root.function];
        builder.arguments(&root.region);
        for (value, border) in root.region.arguments.iter().zip(&function.arguments) {
            builder.shard(*value, border.sharding.as_ref(), function.at, "func.func")?;
        }
        builder.region(&root.region)?;
        root.first_return = returns;
        returns += builder.returns(&root.region, function)?;
    }
    Ok((builder.graph, builder.values, builder.calls))
}

/// The program of a module.
pub(super) fn program(text: &str) -> Result<Program, ParseError> {
    import(text).map(program::of).map_err(|Failure { at, message, help }| {
        let span = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let span = span.unwrap_or(0);
        ParseError::new(text, vec![Diagnostic { span, message, help }])
    })
}
