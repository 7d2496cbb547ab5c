//! Builds the graph from a syntax tree.

use super::functions::Signature;
use super::nodes::Node;
use super::{Call, Definitions, array_text, last_name, report};
use crate::dtype::DType;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops;
use crate::sharding::problem::ShardingError;
use crate::sharding::propagation::{Graph, Value};
use crate::sharding::syntax::{
    ArgumentSyntax, ExpressionSyntax, FunctionSyntax, NameSyntax, PlacedSyntax, ProgramSyntax,
    StatementSyntax, TargetSyntax, Unbounded, literal_dims, lower_split, unbounded_dims,
};
use crate::sharding::tensor::{MeshRef, TensorSharding};
use crate::syntax::{Diagnostic, Diagnostics, Span, nearest};
use crate::text::Text;
use crate::tiled::syntax::{ArraySyntax, lower};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// A value whose sharding is not known yet.
pub(super) struct Unsharded<S> {
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) dims: Vec<usize>,
    /// Bit `d` is set if dimension `d` is unbounded: `?`.
    pub(super) unbounded: u16,
    pub(super) value: Value,
    /// The location at which it is written.
    pub(super) span: S,
}

impl<S> Unsharded<S> {
    /// `f32[?,8]`
    pub(super) fn array(&self) -> String {
        array_text(self.dtype, &self.dims, self.unbounded)
    }
}

pub(super) struct Built<S> {
    pub(super) meshes: Vec<(String, Mesh)>,
    pub(super) values: Vec<Unsharded<S>>,
    pub(super) calls: Vec<(Call, S)>,
    pub(super) nodes: Vec<Node>,
    /// Values by number.
    pub(super) returns: Vec<(usize, S)>,
    pub(super) groups: Vec<Vec<(usize, S)>>,
    pub(super) parameters: usize,
    pub(super) graph: Graph,
    /// The operations with bodies for which the text does not specify how they run.
    pub(super) vague: Vec<NameSyntax<S>>,
}

/// The names that a body defines.
#[derive(Default)]
pub(super) struct Scope {
    /// Values by number; the largest number represents a value with a mistake.
    names: BTreeMap<String, usize>,
    /// The names around the body that are visible in it.
    sees: Sees,
}

/// The names around a body that are visible in it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Sees {
    /// All of them.
    #[default]
    Around,
    /// None, because a manual computation operates on local arrays.
    OwnOfManual,
    /// None, and errors do not mention them either: the body of a function.
    OwnOfFunction,
}

/// A value that a call reads, and whether it may be resharded for the call.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) at: usize,
    pub(super) reshard: bool,
}

pub(super) struct Builder<'a, S> {
    pub(super) built: Built<S>,
    pub(super) scopes: Vec<Scope>,
    /// All names so far; no two values have the same name.
    taken: BTreeSet<String>,
    /// The prefix of the names of values: `a_` in the call of a function whose result is `a`.
    pub(super) prefix: String,
    /// The functions that can be called.
    pub(super) called: &'a [FunctionSyntax<S>],
    /// The types of their parameters, and whether a call found mistakes in the body.
    pub(super) signatures: Vec<Signature>,
    /// The functions whose calls are being expanded, by number.
    pub(super) open: Vec<usize>,
    /// The number of calls and bodies that contain the next statement.
    pub(super) depth: usize,
    pub(super) rules: &'a [NameSyntax<S>],
    pub(super) definitions: &'a Definitions,
    pub(super) diagnostics: &'a mut Diagnostics<S>,
}

pub(super) fn build<S: Span>(
    syntax: &ProgramSyntax<S>,
    definitions: &Definitions,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Built<S>> {
    let before = diagnostics.len();
    let meshes: Vec<_> = syntax
        .meshes
        .iter()
        .zip(&definitions.meshes)
        .map(|(name, mesh)| (last_name(&name.text).to_string(), mesh.clone()))
        .collect();
    for name in syntax.meshes.iter().skip(meshes.len()) {
        let message = format!("the mesh `{}` is not defined", name.text);
        diagnostics.push(Diagnostic { span: name.span, message, help: String::new() });
    }
    let (first, mesh) = meshes.first()?;
    let mut graph = Graph::new(first.clone(), mesh.clone());
    for ((name, mesh), syntax) in meshes.iter().zip(&syntax.meshes).skip(1) {
        if let Err(error) = graph.add_mesh(name.clone(), mesh.clone()) {
            error.problems().iter().for_each(|p| report(diagnostics, syntax.span, p.clone()));
        }
    }
    if diagnostics.len() > before {
        return None;
    }
    graph.trace();
    let built = Built {
        meshes,
        values: Vec::new(),
        calls: Vec::new(),
        nodes: Vec::new(),
        returns: Vec::new(),
        groups: Vec::new(),
        parameters: 0,
        graph,
        vague: Vec::new(),
    };
    let mut builder = Builder {
        built,
        scopes: vec![Scope::default()],
        taken: BTreeSet::new(),
        prefix: String::new(),
        called: &syntax.called,
        signatures: Vec::new(),
        open: Vec::new(),
        depth: 0,
        rules: &syntax.rules,
        definitions,
        diagnostics,
    };
    builder.signatures();
    let (syntax, is_complete) = (&syntax.function, syntax.is_complete);
    syntax.failed.iter().for_each(|name| builder.forget(name));
    for parameter in &syntax.parameters {
        builder.parameter(&parameter.name, &parameter.array, parameter.split.as_ref());
    }
    builder.built.parameters = builder.built.values.len();
    builder.statements(&syntax.body.statements);
    for (expression, split) in &syntax.body.returns {
        builder.ret(expression, split.as_ref());
    }
    let built = builder.built;
    (diagnostics.len() == before && is_complete).then_some(built)
}

impl<S: Span> Builder<'_, S> {
    pub(super) fn error(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.diagnostics.push(Diagnostic { span, message, help });
    }

    /// Reports mistakes of the model, all at the same location.
    pub(super) fn fails(&mut self, span: S, error: &ShardingError) {
        for problem in error.problems() {
            report(self.diagnostics, span, problem.clone());
        }
    }

    fn parameter(
        &mut self,
        name: &NameSyntax<S>,
        array: &ArraySyntax<S>,
        split: Option<&PlacedSyntax<S>>,
    ) {
        let Some((dtype, dims)) = self.array(array, Unbounded::Allowed) else {
            self.forget(name);
            return;
        };
        let value = self.built.graph.argument(&dims);
        let at = self.define(name, dtype, dims, value);
        self.built.values[at].unbounded = unbounded_dims(array);
        if let Some(split) = split {
            self.shard(value, split);
        }
    }

    pub(super) fn array(
        &mut self,
        array: &ArraySyntax<S>,
        unbounded: Unbounded,
    ) -> Option<(DType, Vec<usize>)> {
        let checked = lower(array, self.diagnostics);
        let dims = literal_dims(array, unbounded, self.diagnostics);
        let (dtype, dims) = (checked?.dtype, dims?);
        if let Some(message) = ops::unknown_elements(dtype) {
            self.error(array.dtype_span, message, "");
            return None;
        }
        Some((dtype, dims))
    }

    /// Gives a value a name.
    pub(super) fn define(
        &mut self,
        name: &NameSyntax<S>,
        dtype: DType,
        dims: Vec<usize>,
        value: Value,
    ) -> usize {
        let full = format!("{}{}", self.prefix, name.text);
        let is_new = self.taken.insert(full.clone());
        if !is_new {
            let message = format!("the name `{full}` is defined twice");
            self.error(name.span, message, "every value must have a different name");
        }
        let at = self.built.values.len();
        self.bind(name, at);
        if !is_new {
            // It is unclear which of the two is meant.
            self.forget(name);
        }
        let span = name.span;
        self.built.values.push(Unsharded { name: full, dtype, dims, unbounded: 0, value, span });
        at
    }

    /// Gives a value another name in the current body.
    pub(super) fn bind(&mut self, name: &NameSyntax<S>, at: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.text.clone(), at);
        }
    }

    /// Defines a name for a value with a mistake, so that its uses are not reported too.
    pub(super) fn forget(&mut self, name: &NameSyntax<S>) {
        self.bind(name, usize::MAX);
    }

    /// The number of the value with this name; `None` if there is none, or if it has a mistake.
    fn lookup(&mut self, name: &NameSyntax<S>) -> Option<usize> {
        let mut sees = Sees::Around;
        for scope in self.scopes.iter().rev() {
            match (scope.names.get(&name.text), sees) {
                (Some(&at), Sees::Around) => return Some(at).filter(|&at| at < usize::MAX),
                (Some(_), _) => {
                    let message =
                        format!("the value `{}` is outside the manual computation", name.text);
                    let help = "pass it in: `manual {..} (a = x [..])`";
                    self.error(name.span, message, help);
                    return None;
                }
                (None, _) if scope.sees == Sees::Around => {}
                (None, _) => sees = scope.sees,
            }
            if sees == Sees::OwnOfFunction {
                let message = format!("there is no value `{}`", name.text);
                let help = "values are defined before they are used; a function sees only its parameters and its own values";
                self.error(name.span, message, help);
                return None;
            }
        }
        // It may be a value whose name could not be read.
        if self.scopes.iter().any(|scope| scope.names.contains_key("")) {
            return None;
        }
        let message = format!("there is no value `{}`", name.text);
        let help = self.instead_of(&name.text);
        self.error(name.span, message, help);
        None
    }

    /// The help for a name that no value has: the names that are visible, in the order of their definitions.
    fn instead_of(&self, name: &str) -> String {
        let mut visible = Vec::new();
        for scope in self.scopes.iter().rev() {
            visible.extend(scope.names.iter().map(|(name, at)| (*at, name.as_str())));
            if scope.sees != Sees::Around {
                break;
            }
        }
        visible.sort();
        let names: Vec<_> = visible.into_iter().map(|(_, name)| name).collect();
        let mut near = names.iter().filter(|other| nearest(name, &[other]).is_some());
        match (near.next(), near.next()) {
            (Some(name), None) => format!("did you mean `{name}`?"),
            _ if names.len() == 1 => format!("the only value before it is `{}`", names[0]),
            _ if (2..=8).contains(&names.len()) => {
                format!("the values before it are {}", Text::new().choice_of_names(&names))
                    .replace(" or ", " and ")
            }
            _ => "values are defined before they are used".into(),
        }
    }

    /// The sharding as written, if it has no mistakes that do not depend on its context.
    pub(super) fn lower_split(&mut self, placed: &PlacedSyntax<S>) -> Option<TensorSharding> {
        let before = self.diagnostics.len();
        if let Some(span) = placed.split.padded {
            let help = "write it after the mesh: `mesh Pod padded;`";
            self.error(span, "`padded` applies to all values of a program", help);
        }
        let name = match &placed.mesh {
            Some(name) => last_name(&name.text).to_string(),
            None => self.built.meshes[0].0.clone(),
        };
        if let Some(written) = &placed.mesh
            && !self.built.meshes.iter().any(|(known, _)| *known == name)
        {
            let help = format!("name it first: `mesh {};`", written.text);
            self.error(written.span, format!("unknown mesh: @{name}"), help);
        }
        let sharding = lower_split(MeshRef::Name(name.into()), &placed.split, self.diagnostics);
        sharding.filter(|_| self.diagnostics.len() == before)
    }

    /// Reports the mistakes in a sharding at the tokens that contain them.
    pub(super) fn fails_in<T>(
        &mut self,
        placed: &PlacedSyntax<S>,
        result: Result<T, ShardingError>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                for problem in error.problems() {
                    let span = placed.split.span(problem.location);
                    report(self.diagnostics, span, problem.clone());
                }
                None
            }
        }
    }

    /// Sets the sharding of a value.
    pub(super) fn shard(&mut self, value: Value, placed: &PlacedSyntax<S>) {
        let Some(sharding) = self.lower_split(placed) else { return };
        let set = self.built.graph.set_sharding(value, &sharding);
        self.fails_in(placed, set);
    }

    pub(super) fn statements(&mut self, statements: &[StatementSyntax<S>]) {
        for statement in statements {
            match statement {
                StatementSyntax::Let(targets, value) => self.definition(targets, value),
                StatementSyntax::Group(members) => self.group(members),
                StatementSyntax::Wrong(names) => names.iter().for_each(|name| self.forget(name)),
            }
        }
    }

    fn definition(&mut self, targets: &[TargetSyntax<S>], value: &ExpressionSyntax<S>) {
        let names: Vec<_> = targets.iter().map(|target| target.name.clone()).collect();
        let made = match value {
            ExpressionSyntax::Name(other) => {
                let message = format!(
                    "`{}` is `{}` by another name",
                    names.first().map_or("", |name| &name.text),
                    other.text
                );
                self.error(other.span, message, "use the value itself");
                None
            }
            ExpressionSyntax::Call(call) => self.call(call, &names),
            ExpressionSyntax::Region(region) => self.region(region, &names),
        };
        let Some(made) = made else {
            names.iter().for_each(|name| self.forget(name));
            return;
        };
        for (target, at) in targets.iter().zip(made) {
            if let Some(split) = &target.split {
                self.shard(self.built.values[at].value, split);
            }
        }
    }

    fn group(&mut self, members: &[NameSyntax<S>]) {
        let number = self.built.groups.len();
        let mut found = Vec::new();
        for name in members {
            let Some(value) = self.lookup(name) else { continue };
            let (own, first) = (value, found.first().map_or(value, |(first, _)| *first));
            let [own, first] = [own, first].map(|at| &self.built.values[at]);
            if own.unbounded != first.unbounded {
                let message = format!(
                    "the values of a group have one size: `{}` is {}, `{}` is {}",
                    first.name,
                    first.array(),
                    own.name,
                    own.array()
                );
                self.error(name.span, message, "");
                continue;
            }
            if let Err(error) = self.built.graph.group(number, self.built.values[value].value) {
                self.fails(name.span, &error);
            }
            self.built.nodes.push(Node::Group { value, group: number });
            found.push((value, name.span));
        }
        self.built.groups.push(found);
    }

    fn ret(&mut self, expression: &ExpressionSyntax<S>, split: Option<&PlacedSyntax<S>>) {
        let number = self.built.returns.len();
        let name = NameSyntax { text: format!("ret{number}"), span: expression.span() };
        let Some(at) = self.expression(expression, &name) else { return };
        let value = match self.built.values[at].unbounded {
            0 => self.built.values[at].value,
            // Shardy does not propagate between an argument of unknown size and a result.
            _ => self.built.graph.argument(&self.dims(at)),
        };
        match split {
            None => {
                let returned = self.built.graph.ret(value, None);
                debug_assert!(returned.is_ok(), "nothing is said of it");
            }
            Some(split) => {
                let Some(sharding) = self.lower_split(split) else { return };
                let returned = self.built.graph.ret(value, Some(&sharding));
                self.fails_in(split, returned);
            }
        }
        self.built.returns.push((at, expression.span()));
    }

    /// The number of the value of an expression. If the expression is a call, the value gets the name `name`.
    pub(super) fn expression(
        &mut self,
        expression: &ExpressionSyntax<S>,
        name: &NameSyntax<S>,
    ) -> Option<usize> {
        match expression {
            ExpressionSyntax::Call(call) => {
                self.call(call, core::slice::from_ref(name)).and_then(|made| made.first().copied())
            }
            ExpressionSyntax::Region(region) => {
                self.error(region.keyword.span, "bodies are allowed only after `let`", "");
                None
            }
            ExpressionSyntax::Name(name) => self.lookup(name),
        }
    }

    /// A value that a call reads. In `reshard(x)`, it may be resharded.
    pub(super) fn take(
        &mut self,
        expression: &ExpressionSyntax<S>,
        name: &NameSyntax<S>,
    ) -> Option<Taken> {
        if let ExpressionSyntax::Call(call) = expression
            && let ("reshard", [ArgumentSyntax::Value(inner)]) =
                (&call.op.text[..], &call.arguments[..])
        {
            return self.taken(inner, name, true);
        }
        self.taken(expression, name, false)
    }

    fn taken(
        &mut self,
        expression: &ExpressionSyntax<S>,
        name: &NameSyntax<S>,
        reshard: bool,
    ) -> Option<Taken> {
        let at = self.expression(expression, name)?;
        let value = &self.built.values[at];
        if value.unbounded != 0 {
            let message = format!(
                "`{}` is {}, and operations take arrays of known sizes only",
                value.name,
                value.array()
            );
            let help = "give the size a bound, `<=128`, or return the value as it is";
            self.error(expression.span(), message, help);
            return None;
        }
        Some(Taken { at, reshard })
    }
}

/// The scope of a body.
pub(super) const fn scope(sees: Sees) -> Scope {
    Scope { names: BTreeMap::new(), sees }
}
