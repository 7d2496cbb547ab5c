//! From a syntax tree to a graph.

use super::nodes::Node;
use super::ops::{self, At, Attribute, Attributes, Made, Operand};
use super::{Call, Definitions, last_name, report};
use crate::dtype::DType;
use crate::sharding::mesh::Mesh;
use crate::sharding::problem::ShardingError;
use crate::sharding::propagation::{Direction, Graph, Op, OpKind, Value};
use crate::sharding::rule::OpShardingRule;
use crate::sharding::tensor::{MeshRef, TensorSharding};
use crate::syntax::sharding::{
    ArgumentSyntax, AttributeSyntax, CallSyntax, ExpressionSyntax, NameSyntax, PlacedSyntax,
    ProgramSyntax, RuleUseSyntax, StatementSyntax, TargetSyntax, literal_dims, lower_rule,
    lower_split,
};
use crate::syntax::{ArraySyntax, Diagnostic, Diagnostics, Number, Span, lower};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// A value before it is known how it is sharded.
pub(super) struct Unsharded<S> {
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) dims: Vec<usize>,
    pub(super) value: Value,
    /// Where it is written.
    pub(super) span: S,
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
}

/// The names that a body defines.
#[derive(Default)]
pub(super) struct Scope {
    /// Values by number; the largest number for one that is wrong.
    names: BTreeMap<String, usize>,
    /// Whether those around it are out of reach.
    pub(super) isolated: bool,
}

/// A value that something takes, and whether it may be resharded for that.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) at: usize,
    pub(super) reshard: bool,
}

pub(super) struct Builder<'a, S> {
    pub(super) built: Built<S>,
    pub(super) scopes: Vec<Scope>,
    /// All names so far: no two values share one.
    taken: BTreeSet<String>,
    rules: &'a [NameSyntax<S>],
    definitions: &'a Definitions,
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
    };
    let mut builder = Builder {
        built,
        scopes: vec![Scope::default()],
        taken: BTreeSet::new(),
        rules: &syntax.rules,
        definitions,
        diagnostics,
    };
    for parameter in &syntax.parameters {
        builder.parameter(&parameter.name, &parameter.array, parameter.split.as_ref());
    }
    builder.built.parameters = builder.built.values.len();
    builder.statements(&syntax.body.statements);
    for (expression, split) in &syntax.body.returns {
        builder.ret(expression, split.as_ref());
    }
    let built = builder.built;
    (diagnostics.len() == before).then_some(built)
}

impl<S: Span> Builder<'_, S> {
    pub(super) fn error(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.diagnostics.push(Diagnostic { span, message, help });
    }

    /// Reports mistakes of the model, all at one place.
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
        let Some((dtype, dims)) = self.array(array) else {
            self.forget(name);
            return;
        };
        let value = self.built.graph.argument(&dims);
        self.define(name, dtype, dims, value);
        if let Some(split) = split {
            self.shard(value, split);
        }
    }

    fn array(&mut self, array: &ArraySyntax<S>) -> Option<(DType, Vec<usize>)> {
        let checked = lower(array, self.diagnostics);
        let dims = literal_dims(array, self.diagnostics);
        Some((checked?.dtype, dims?))
    }

    /// Gives a value a name.
    pub(super) fn define(
        &mut self,
        name: &NameSyntax<S>,
        dtype: DType,
        dims: Vec<usize>,
        value: Value,
    ) -> usize {
        if !self.taken.insert(name.text.clone()) {
            let message = format!("the name `{}` is defined twice", name.text);
            self.error(name.span, message, "every value has a name of its own");
        }
        let at = self.built.values.len();
        self.bind(name, at);
        let (name, span) = (name.text.clone(), name.span);
        self.built.values.push(Unsharded { name, dtype, dims, value, span });
        at
    }

    fn bind(&mut self, name: &NameSyntax<S>, at: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.text.clone(), at);
        }
    }

    /// Uses of the name of something that is wrong are no further mistakes.
    pub(super) fn forget(&mut self, name: &NameSyntax<S>) {
        self.bind(name, usize::MAX);
    }

    /// The number of the value that a name means; `None` if there is none, or one that is wrong.
    fn lookup(&mut self, name: &NameSyntax<S>) -> Option<usize> {
        let mut outside = false;
        for scope in self.scopes.iter().rev() {
            match scope.names.get(&name.text) {
                Some(&at) if !outside => return Some(at).filter(|&at| at < usize::MAX),
                Some(_) => {
                    let message =
                        format!("the value `{}` is outside of the manual computation", name.text);
                    let help = "hand it in: `manual {..} (a = x [..])`";
                    self.error(name.span, message, help);
                    return None;
                }
                None => outside |= scope.isolated,
            }
        }
        let message = format!("there is no value `{}`", name.text);
        self.error(name.span, message, "values are defined before they are used");
        None
    }

    /// The sharding that is written, if nothing is wrong with it on its own.
    pub(super) fn lower_split(&mut self, placed: &PlacedSyntax<S>) -> Option<TensorSharding> {
        let before = self.diagnostics.len();
        if let Some(span) = placed.split.padded {
            let help = "write it behind the mesh: `mesh Pod padded;`";
            self.error(span, "`padded` is for all values of a program", help);
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

    /// What is wrong with a sharding that is written, where it is.
    pub(super) fn fails_in<T>(
        &mut self,
        placed: &PlacedSyntax<S>,
        result: Result<T, ShardingError>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                for problem in error.problems() {
                    let span = placed.split.span(problem.place);
                    report(self.diagnostics, span, problem.clone());
                }
                None
            }
        }
    }

    /// Says how a value is sharded.
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
        let value = self.built.values[at].value;
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

    /// The number of a value. What a nested call makes gets a name of its own.
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
                self.error(region.keyword.span, "bodies stand behind `let` only", "");
                None
            }
            ExpressionSyntax::Name(name) => self.lookup(name),
        }
    }

    /// A value that something takes: what stands in `reshard(x)` may be resharded.
    pub(super) fn take(
        &mut self,
        expression: &ExpressionSyntax<S>,
        name: &NameSyntax<S>,
    ) -> Option<Taken> {
        if let ExpressionSyntax::Call(call) = expression
            && let ("reshard", [ArgumentSyntax::Value(inner)]) =
                (&call.op.text[..], &call.arguments[..])
        {
            return self.expression(inner, name).map(|at| Taken { at, reshard: true });
        }
        self.expression(expression, name).map(|at| Taken { at, reshard: false })
    }

    fn number(&mut self, number: &Number<S>) -> Option<usize> {
        let value = usize::try_from(number.value).ok();
        if value.is_none() {
            let message = format!("expected a number that is not negative, found {}", number.value);
            self.error(number.span, message, "");
        }
        value
    }

    fn attribute(&mut self, syntax: &AttributeSyntax<S>) -> Option<Attribute> {
        Some(match syntax {
            AttributeSyntax::Number(number) => Attribute::Number(self.number(number)?),
            AttributeSyntax::Word(word) => Attribute::Word(word.clone()),
            AttributeSyntax::List(numbers) => {
                let numbers = numbers.iter().map(|number| self.number(number));
                Attribute::List(numbers.collect::<Option<_>>()?)
            }
        })
    }

    /// The operands of a call, and what else it is told.
    fn arguments(&mut self, call: &CallSyntax<S>, name: &str) -> Option<Arguments<S>> {
        let mut arguments = Arguments {
            taken: Vec::new(),
            spans: Vec::new(),
            lists: Vec::new(),
            names: Vec::new(),
            attributes: Attributes::default(),
        };
        let before = self.diagnostics.len();
        for argument in &call.arguments {
            match argument {
                ArgumentSyntax::Attribute(attribute, span) => match self.attribute(attribute)? {
                    Attribute::List(list) => {
                        arguments.attributes.lists.push(list);
                        arguments.lists.push(*span);
                    }
                    Attribute::Number(number) => arguments.attributes.number = Some(number),
                    Attribute::Word(_) => {}
                },
                ArgumentSyntax::Named(name, attribute) => {
                    if arguments.attributes.get(&name.text).is_some() {
                        self.error(name.span, format!("`{}` is said twice", name.text), "");
                    }
                    let attribute = self.attribute(attribute)?;
                    arguments.attributes.named.push((name.text.clone(), attribute));
                    arguments.names.push(name.span);
                }
                ArgumentSyntax::Array(array) => {
                    if !matches!(&call.op.text[..], "constant" | "iota") {
                        self.error(array.dims_span, "expected a value, found an array", "");
                        continue;
                    }
                    arguments.attributes.array = Some(self.array(array)?);
                }
                ArgumentSyntax::Value(value) => {
                    let text = format!("{name}_{}", arguments.spans.len());
                    let nested = NameSyntax { text, span: value.span() };
                    arguments.taken.extend(self.take(value, &nested));
                    arguments.spans.push(value.span());
                }
            }
        }
        let complete = arguments.taken.len() == arguments.spans.len();
        (self.diagnostics.len() == before && complete).then_some(arguments)
    }

    /// Adds an operation; the numbers of its results, which get these names.
    fn call(&mut self, call: &CallSyntax<S>, names: &[NameSyntax<S>]) -> Option<Vec<usize>> {
        let text = names.first().map_or("", |name| &name.text).to_string();
        let mut arguments = self.arguments(call, &text)?;
        if call.op.text == "optimization_barrier" && call.rule.is_none() {
            return self.optimization_barrier(call, names, &arguments.taken);
        }
        let operands: Vec<_> = arguments.taken.iter().map(|taken| taken.at).collect();
        let mut made = match call.op.text == "propagation_barrier" && call.rule.is_none() {
            true => ops::make("constrain", &self.operands(&operands), &Attributes::default()),
            false => self.make(call, &operands, &arguments.attributes)?,
        }
        .map_err(|(at, message, help)| {
            let span = arguments.span(&at).unwrap_or(call.op.span);
            self.error(span, message, help);
        })
        .ok()?;
        if !self.has_names(names, made.results.len(), call.op.span) {
            return None;
        }
        arguments.attributes.stablehlo = made.stablehlo;
        let op = self.add(call, &operands, &mut made, &arguments)?;
        let mut results = Vec::new();
        for (at, ((dims, dtype), name)) in made.results.into_iter().zip(names).enumerate() {
            let value = self.built.graph.results(op)[at];
            results.push(self.define(name, dtype, dims, value));
        }
        if let Some(split) = call
            .split
            .as_ref()
            .filter(|_| made.stablehlo != "constrain" || call.op.text != "constrain")
        {
            match results[..] {
                [result] => self.shard(self.built.values[result].value, split),
                _ => self.error(
                    split.split.span,
                    "there are several results",
                    "write each sharding behind its name: `let (a [..], b) = ..`",
                ),
            }
        }
        let mut reshards: Vec<_> =
            (0..arguments.taken.len()).filter(|&at| arguments.taken[at].reshard).collect();
        if call.op.text == "reshard" {
            reshards.push(0);
        }
        let (name, attributes) = (call.op.text.clone(), arguments.attributes);
        self.push(
            Call {
                name,
                operands,
                results: results.clone(),
                op,
                attributes,
                reshards,
                planned: Vec::new(),
            },
            call.span,
        );
        Some(results)
    }

    /// Adds a call to the program.
    fn push(&mut self, call: Call, span: S) {
        self.built.nodes.push(Node::Call(self.built.calls.len()));
        self.built.calls.push((call, span));
    }

    /// Whether there are as many names as results.
    pub(super) fn has_names(&mut self, names: &[NameSyntax<S>], results: usize, span: S) -> bool {
        let fits = names.len() == results;
        if !fits {
            let plural = if results == 1 { "" } else { "s" };
            let message = format!(
                "the operation has {results} result{plural}, found {} to name",
                names.len()
            );
            let help = if results > 1 { "write `let (a, b) = ..`" } else { "" };
            self.error(span, message, help);
        }
        fits
    }

    fn operands(&self, operands: &[usize]) -> Vec<Operand<'_>> {
        let values = operands.iter().map(|&at| &self.built.values[at]);
        values.map(|value| Operand { dims: &value.dims, dtype: value.dtype }).collect()
    }

    fn make(
        &mut self,
        call: &CallSyntax<S>,
        operands: &[usize],
        attributes: &Attributes,
    ) -> Option<Result<Made, (At, String, String)>> {
        let rule: Option<OpShardingRule> = match &call.rule {
            Some(RuleUseSyntax::Written(rule)) => Some(lower_rule(rule, self.diagnostics)?),
            Some(RuleUseSyntax::Named(name)) => {
                let at = self.rules.iter().position(|rule| rule.text == name.text);
                let rule = at.and_then(|at| self.definitions.rules.get(at)).cloned();
                if rule.is_none() {
                    let message = format!("the sharding rule `{}` is not defined", name.text);
                    self.error(name.span, message, "");
                }
                Some(rule?)
            }
            None => None,
        };
        let operands = self.operands(operands);
        Some(match rule {
            Some(rule) => ops::custom(rule, &operands),
            None => ops::make(&call.op.text, &operands, attributes),
        })
    }

    fn add(
        &mut self,
        call: &CallSyntax<S>,
        operands: &[usize],
        made: &mut Made,
        arguments: &Arguments<S>,
    ) -> Option<Op> {
        let values: Vec<_> = operands.iter().map(|&at| self.built.values[at].value).collect();
        let results: Vec<_> = made.results.iter().map(|(dims, _)| dims.as_slice()).collect();
        if call.op.text == "propagation_barrier" && call.rule.is_none() {
            return self.propagation_barrier(call, values[0], arguments);
        }
        if call.op.text == "constrain" && call.rule.is_none() {
            let Some(placed) = &call.split else {
                self.error(
                    call.span,
                    "expected a sharding behind `constrain`",
                    "write `constrain(x) [{\"a\"}, {}]`, one `{..}` for each dimension",
                );
                return None;
            };
            let sharding = self.lower_split(placed)?;
            let constrained = self.built.graph.constraint(values[0], &sharding);
            let value = self.fails_in(placed, constrained)?;
            return self.built.graph.definition(value);
        }
        let Some(rule) = made.rule.take() else {
            return Some(self.built.graph.opaque_op(&values, &results));
        };
        let kind: OpKind = made.kind;
        match self.built.graph.op(kind, rule, &values, &results) {
            Ok(op) => Some(op),
            Err(error) => {
                self.fails(call.span, &error);
                None
            }
        }
    }

    fn propagation_barrier(
        &mut self,
        call: &CallSyntax<S>,
        value: Value,
        arguments: &Arguments<S>,
    ) -> Option<Op> {
        let direction = match arguments.attributes.get("allowed_direction") {
            Some(Attribute::Word(word)) => match &word[..] {
                "FORWARD" => Some(Direction::Forward),
                "BACKWARD" => Some(Direction::Backward),
                "NONE" => Some(Direction::None),
                "BOTH" => Some(Direction::Both),
                _ => None,
            },
            _ => None,
        };
        let span = arguments.names.first().copied().unwrap_or(call.span);
        let Some(direction) = direction else {
            let help = "write `propagation_barrier(x, allowed_direction=FORWARD)`: `FORWARD`, `BACKWARD` or `NONE`";
            self.error(span, "expected the direction that the barrier allows", help);
            return None;
        };
        match self.built.graph.barrier(value, direction) {
            Ok(result) => self.built.graph.definition(result),
            Err(error) => {
                self.fails(span, &error);
                None
            }
        }
    }
}

/// What a call is made with, and where each of it stands.
struct Arguments<S> {
    taken: Vec<Taken>,
    spans: Vec<S>,
    lists: Vec<S>,
    names: Vec<S>,
    attributes: Attributes,
}

impl<S: Copy> Arguments<S> {
    fn span(&self, at: &At) -> Option<S> {
        match at {
            At::Call => None,
            At::Operand(at) => self.spans.get(*at).copied(),
            At::List(at) => self.lists.get(*at).copied(),
            At::Named(name) => {
                let at = self.attributes.named.iter().position(|(other, _)| other == name);
                at.and_then(|at| self.names.get(at).copied())
            }
        }
    }
}

/// Whether a body has no value in reach but its own.
pub(super) const fn isolated(isolated: bool) -> Scope {
    Scope { names: BTreeMap::new(), isolated }
}
