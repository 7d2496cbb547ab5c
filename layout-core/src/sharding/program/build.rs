//! From a syntax tree to a graph.

use super::ops::{self, At, Attributes, Made, Operand};
use super::{Call, report};
use crate::dtype::DType;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::{Graph, Op, OpKind, Value};
use crate::sharding::rule::OpShardingRule;
use crate::sharding::tensor::{MeshRef, TensorSharding};
use crate::syntax::sharding::{
    ArgumentSyntax, CallSyntax, ExpressionSyntax, NameSyntax, ProgramSyntax, SplitSyntax,
    literal_dims, lower_rule, lower_split,
};
use crate::syntax::{ArraySyntax, Diagnostic, Diagnostics, Number, Span, lower};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
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
    pub(super) values: Vec<Unsharded<S>>,
    pub(super) calls: Vec<(Call, S)>,
    /// Values by number.
    pub(super) returns: Vec<(usize, S)>,
    pub(super) parameters: usize,
    pub(super) graph: Graph,
}

struct Builder<'a, S> {
    built: Built<S>,
    mesh: MeshRef,
    names: BTreeMap<String, usize>,
    diagnostics: &'a mut Diagnostics<S>,
}

pub(super) fn build<S: Span>(
    syntax: &ProgramSyntax<S>,
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Built<S>> {
    let before = diagnostics.len();
    let mut graph = Graph::new(syntax.mesh.text.clone(), mesh.clone());
    graph.trace();
    let (values, calls, returns) = (Vec::new(), Vec::new(), Vec::new());
    let built = Built { values, calls, returns, parameters: 0, graph };
    let name = MeshRef::Name(syntax.mesh.text.clone().into());
    let mut builder = Builder { built, mesh: name, names: BTreeMap::new(), diagnostics };
    for parameter in &syntax.parameters {
        builder.parameter(&parameter.name, &parameter.array, parameter.split.as_ref());
    }
    builder.built.parameters = builder.built.values.len();
    for (name, expression) in &syntax.statements {
        builder.statement(name, expression);
    }
    for (expression, split) in &syntax.returns {
        builder.ret(expression, split.as_ref());
    }
    let built = builder.built;
    (diagnostics.len() == before).then_some(built)
}

impl<S: Span> Builder<'_, S> {
    fn error(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.diagnostics.push(Diagnostic { span, message, help });
    }

    fn parameter(
        &mut self,
        name: &NameSyntax<S>,
        array: &ArraySyntax<S>,
        split: Option<&SplitSyntax<S>>,
    ) {
        let checked = lower(array, self.diagnostics);
        let dims = literal_dims(array, self.diagnostics);
        let (Some(draft), Some(dims)) = (checked, dims) else {
            // Uses of the name are no further mistakes.
            self.names.insert(name.text.clone(), usize::MAX);
            return;
        };
        let value = self.built.graph.argument(&dims);
        self.define(name, draft.dtype, dims, value);
        if let Some(split) = split {
            self.shard(value, split);
        }
    }

    /// Gives a value a name.
    fn define(&mut self, name: &NameSyntax<S>, dtype: DType, dims: Vec<usize>, value: Value) {
        if self.names.contains_key(&name.text) {
            let message = format!("the name `{}` is defined twice", name.text);
            self.error(name.span, message, "every value has a name of its own");
        }
        self.names.insert(name.text.clone(), self.built.values.len());
        let (name, span) = (name.text.clone(), name.span);
        self.built.values.push(Unsharded { name, dtype, dims, value, span });
    }

    fn lower_split(&mut self, split: &SplitSyntax<S>) -> Option<TensorSharding> {
        if let Some(span) = split.padded {
            let help = "write it behind the mesh: `mesh Pod padded;`";
            self.error(span, "`padded` is for all values of a program", help);
        }
        lower_split(self.mesh.clone(), split, self.diagnostics)
    }

    /// Says how a value is sharded.
    fn shard(&mut self, value: Value, split: &SplitSyntax<S>) {
        let before = self.diagnostics.len();
        let Some(sharding) = self.lower_split(split) else { return };
        if self.diagnostics.len() > before {
            return;
        }
        if let Err(error) = self.built.graph.set_sharding(value, &sharding) {
            for problem in error.problems() {
                report(self.diagnostics, split.span(problem.place), problem.clone());
            }
        }
    }

    fn statement(&mut self, name: &NameSyntax<S>, expression: &ExpressionSyntax<S>) {
        match expression {
            ExpressionSyntax::Name(other) => {
                let message = format!("`{}` is `{}` by another name", name.text, other.text);
                self.error(other.span, message, "use the value itself");
                self.names.insert(name.text.clone(), usize::MAX);
            }
            ExpressionSyntax::Call(call) => {
                if self.call(call, name).is_none() {
                    self.names.insert(name.text.clone(), usize::MAX);
                }
            }
        }
    }

    fn ret(&mut self, expression: &ExpressionSyntax<S>, split: Option<&SplitSyntax<S>>) {
        let number = self.built.returns.len();
        let name = NameSyntax { text: format!("ret{number}"), span: expression.span() };
        let Some(at) = self.expression(expression, &name) else { return };
        let before = self.diagnostics.len();
        let sharding = split.and_then(|split| self.lower_split(split));
        if self.diagnostics.len() > before {
            return;
        }
        let value = self.built.values[at].value;
        if let (Err(error), Some(split)) = (self.built.graph.ret(value, sharding.as_ref()), split) {
            for problem in error.problems() {
                report(self.diagnostics, split.span(problem.place), problem.clone());
            }
        }
        self.built.returns.push((at, expression.span()));
    }

    /// The number of a value. What a nested call makes gets a name of its own.
    fn expression(
        &mut self,
        expression: &ExpressionSyntax<S>,
        name: &NameSyntax<S>,
    ) -> Option<usize> {
        match expression {
            ExpressionSyntax::Call(call) => self.call(call, name),
            ExpressionSyntax::Name(name) => match self.names.get(&name.text) {
                Some(&at) => Some(at).filter(|&at| at < usize::MAX),
                None => {
                    let message = format!("there is no value `{}`", name.text);
                    self.error(name.span, message, "values are defined before they are used");
                    None
                }
            },
        }
    }

    fn number(&mut self, number: &Number<S>) -> Option<usize> {
        let value = usize::try_from(number.value).ok();
        if value.is_none() {
            let message = format!("expected a number that is not negative, found {}", number.value);
            self.error(number.span, message, "");
        }
        value
    }

    /// Adds an operation; the number of its result.
    fn call(&mut self, call: &CallSyntax<S>, name: &NameSyntax<S>) -> Option<usize> {
        let mut attributes = Attributes::default();
        let (mut operands, mut spans, mut list_spans) = (Vec::new(), Vec::new(), Vec::new());
        let mut reshards = Vec::new();
        let before = self.diagnostics.len();
        for argument in &call.arguments {
            match argument {
                ArgumentSyntax::List(numbers, span) => {
                    let numbers = numbers.iter().map(|number| self.number(number));
                    attributes.lists.push(numbers.collect::<Option<_>>()?);
                    list_spans.push(*span);
                }
                ArgumentSyntax::Number(number) => attributes.number = Some(self.number(number)?),
                ArgumentSyntax::Array(array) => {
                    self.error(array.dims_span, "expected a value, found an array", "");
                }
                ArgumentSyntax::Value(value) => {
                    let nested = NameSyntax {
                        text: format!("{}_{}", name.text, operands.len()),
                        span: value.span(),
                    };
                    let operand = match reshardable(value) {
                        Some(inner) => {
                            reshards.push(operands.len());
                            self.expression(inner, &nested)
                        }
                        None => self.expression(value, &nested),
                    };
                    operands.extend(operand);
                    spans.push(value.span());
                }
            }
        }
        if self.diagnostics.len() > before || operands.len() < spans.len() {
            return None;
        }
        let made = self.make(call, &operands, &attributes);
        let mut made = match made? {
            Ok(made) => made,
            Err((at, message, help)) => {
                let span = match at {
                    At::Call => call.op.span,
                    At::Operand(at) => spans.get(at).copied().unwrap_or(call.op.span),
                    At::List(at) => list_spans.get(at).copied().unwrap_or(call.op.span),
                };
                self.error(span, message, help);
                return None;
            }
        };
        if call.op.text == "reshard" {
            reshards.push(0);
        }
        attributes.stablehlo = made.stablehlo;
        let op = self.add(call, &operands, &mut made)?;
        let value = self.built.graph.results(op)[0];
        let result = self.built.values.len();
        self.define(name, made.dtype, made.dims, value);
        if let Some(split) = &call.split {
            self.shard(value, split);
        }
        let name = call.op.text.to_string();
        let planned = Vec::new();
        let made = Call { name, operands, result, op, attributes, reshards, planned };
        self.built.calls.push((made, call.span));
        Some(result)
    }

    fn make(
        &mut self,
        call: &CallSyntax<S>,
        operands: &[usize],
        attributes: &Attributes,
    ) -> Option<Result<Made, (At, String, String)>> {
        let rule: Option<OpShardingRule> = match &call.rule {
            Some(rule) => Some(lower_rule(rule, self.diagnostics)?),
            None => None,
        };
        let operands: Vec<_> = operands
            .iter()
            .map(|&at| &self.built.values[at])
            .map(|value| Operand { dims: &value.dims, dtype: value.dtype })
            .collect();
        Some(match rule {
            Some(rule) => ops::custom(rule, &operands),
            None => ops::make(&call.op.text, &operands, attributes),
        })
    }

    fn add(&mut self, call: &CallSyntax<S>, operands: &[usize], made: &mut Made) -> Option<Op> {
        let values: Vec<_> = operands.iter().map(|&at| self.built.values[at].value).collect();
        let Some(rule) = made.rule.take() else {
            return Some(self.built.graph.opaque_op(&values, &[&made.dims]));
        };
        let kind: OpKind = made.kind;
        match self.built.graph.op(kind, rule, &values, &[&made.dims]) {
            Ok(op) => Some(op),
            Err(error) => {
                for problem in error.problems() {
                    report(self.diagnostics, call.span, problem.clone());
                }
                None
            }
        }
    }
}

/// What stands in `reshard(x)`: an operand that may be resharded.
fn reshardable<S>(value: &ExpressionSyntax<S>) -> Option<&ExpressionSyntax<S>> {
    let ExpressionSyntax::Call(call) = value else { return None };
    match (&call.op.text[..], &call.arguments[..]) {
        ("reshard", [ArgumentSyntax::Value(inner)]) => Some(inner),
        _ => None,
    }
}
