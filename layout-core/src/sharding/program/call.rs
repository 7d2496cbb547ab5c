//! Calls of operations.

use super::Call;
use super::build::{Builder, Taken};
use super::nodes::Node;
use super::region::name_of_first;
use super::sums::Sums;
use crate::sharding::ops::{
    self, Attribute, Attributes, Inferred, Mlir, OpError, Operation, PartialSums, Subject,
    TensorType,
};
use crate::sharding::propagation::{Direction, Op, OpKind, Value};
use crate::sharding::rule::OpShardingRule;
use crate::sharding::syntax::{
    ArgumentSyntax, AttributeSyntax, CallSyntax, ExpressionSyntax, NameSyntax, RuleUseSyntax,
    Unbounded, lower_rule,
};
use crate::syntax::{Number, Span};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<S: Span> Builder<'_, S> {
    fn number(&mut self, number: &Number<S>) -> Option<usize> {
        let value = usize::try_from(number.value).ok();
        if value.is_none() {
            let message = format!("expected a number that is not negative, found {}", number.value);
            let help = "write sizes out, and count dimensions from 0";
            self.error(number.span, message, help);
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

    /// The operands and the attributes of a call.
    pub(super) fn arguments(&mut self, call: &CallSyntax<S>, name: &str) -> Option<Arguments<S>> {
        let mut arguments = Arguments {
            taken: Vec::new(),
            spans: Vec::new(),
            lists: Vec::new(),
            names: Vec::new(),
            attributes: Attributes::default(),
        };
        let before = self.diagnostics.len();
        // Numbers without the brackets of a list, and the second of them.
        let (mut numbers, mut apart) = (Vec::new(), None);
        for argument in &call.arguments {
            match argument {
                ArgumentSyntax::Attribute(attribute, span) => match self.attribute(attribute)? {
                    Attribute::List(list) => {
                        arguments.attributes.lists.push(list);
                        arguments.lists.push(*span);
                    }
                    Attribute::Number(number) => {
                        if arguments.attributes.number.replace(number).is_some() {
                            apart.get_or_insert(*span);
                        }
                        numbers.push(number);
                    }
                    Attribute::Word(_) => {}
                },
                ArgumentSyntax::Named(name, attribute) => {
                    if arguments.attributes.get(&name.text).is_some() {
                        self.error(name.span, format!("`{}` is written twice", name.text), "");
                    }
                    let attribute = self.attribute(attribute)?;
                    arguments.attributes.named.push((name.text.clone(), attribute));
                    arguments.names.push(name.span);
                }
                ArgumentSyntax::Array(array) => {
                    if !ops::find(&call.op.text).is_ok_and(|operation| operation.takes_array) {
                        self.error(array.dims_span, "expected a value, found an array", "");
                        continue;
                    }
                    if arguments.attributes.array.is_some() {
                        let message = format!("`{}` makes one array", call.op.text);
                        self.error(array.dims_span, message, "");
                    }
                    arguments.attributes.array = Some(self.array(array, Unbounded::Refused)?);
                }
                ArgumentSyntax::Value(value) => {
                    let text = format!("{name}_{}", arguments.spans.len());
                    let nested = NameSyntax { text, span: value.span() };
                    arguments.taken.extend(self.take(value, &nested));
                    arguments.spans.push(value.span());
                }
            }
        }
        if let (Some(span), [first, second, ..]) = (apart, &numbers[..]) {
            let message = format!("two numbers: {first} and {second}");
            let help =
                format!("an operation takes at most one; a list goes in brackets: `{numbers:?}`");
            self.error(span, message, &help);
        }
        let complete = arguments.taken.len() == arguments.spans.len();
        (self.diagnostics.len() == before && complete).then_some(arguments)
    }

    /// Adds an operation whose results get these names. Returns the numbers of the results.
    pub(super) fn call(
        &mut self,
        call: &CallSyntax<S>,
        names: &[NameSyntax<S>],
    ) -> Option<Vec<usize>> {
        if call.rule.is_none()
            && let Some(at) = self.called.iter().position(|own| own.name.text == call.op.text)
        {
            return self.function(at, call, names);
        }
        let text = name_of_first(names).to_string();
        // If the name is not an operation, mistakes in its arguments are not reported as well.
        if call.rule.is_none() && ops::foreign_help(&call.op.text).is_some() {
            let OpError { message, help, .. } = ops::find(&call.op.text).err()?;
            let operands: Vec<_> = values_of(call).map(ExpressionSyntax::text).collect();
            let help = ops::foreign_operands(&help, &operands, dims_of(call).as_deref());
            let span = if ops::is_call(&help) { call.span } else { call.op.span };
            self.error(span, message, help);
            return None;
        }
        let arguments = self.arguments(call, &text)?;
        if call.op.text == "optimization_barrier" && call.rule.is_none() {
            if arguments.attributes != Attributes::default() {
                self.error(call.op.span, "`optimization_barrier` takes only values", "");
                return None;
            }
            return self.optimization_barrier(call, names, &arguments.taken);
        }
        let operands: Vec<_> = arguments.taken.iter().map(|taken| taken.at).collect();
        let inferred = self.infer(call, &operands, &arguments.attributes)?;
        let (operation, mut inferred) = inferred
            .map_err(|OpError { subject, message, help }| {
                let span = arguments.span(&subject).unwrap_or(call.op.span);
                // If sizes disagree, the error does not depend on how the call is written.
                let is_operand = matches!(subject, Subject::Operand(_));
                let usage = || ops::usage(&call.op.text);
                let help = match (help.is_empty() && !is_operand).then(usage).flatten() {
                    Some(usage) => format!("a call is written `{usage}`"),
                    None => help,
                };
                let help = with_operands(&help, call);
                let operand = match subject {
                    Subject::Operand(at) => operands_of(call).get(at).copied().flatten(),
                    _ => None,
                };
                self.error(span, message, around(help, operand));
            })
            .ok()?;
        if !self.has_names(names, inferred.results.len(), call.op.span) {
            return None;
        }
        let op = self.add(call, operation, &operands, &mut inferred, &arguments)?;
        let mut results = Vec::new();
        for (at, ((dims, dtype), name)) in inferred.results.into_iter().zip(names).enumerate() {
            let value = self.built.graph.results(op)[at];
            results.push(self.define(name, dtype, dims, value));
        }
        if call.op.text != "constrain" || call.rule.is_some() {
            self.shard_all(call, &results)?;
        }
        let mut reshards: Vec<_> =
            (0..arguments.taken.len()).filter(|&at| arguments.taken[at].reshard).collect();
        if call.op.text == "reshard" {
            reshards.push(0);
        }
        let (name, attributes) = (call.op.text.clone(), arguments.attributes);
        let (partial, mlir) = match operation {
            Some(operation) => (operation.sums, operation.mlir),
            None => (PartialSums::Custom, Mlir::CustomCall),
        };
        self.push(
            Call {
                name,
                operands,
                results: results.clone(),
                op,
                attributes,
                partial,
                mlir,
                reshards,
                planned: Vec::new(),
                sums: Sums::default(),
                line: None,
                refused: None,
                has_written_rule: false,
            },
            call.span,
        );
        Some(results)
    }

    /// Sets the shardings of the results of a call: either of all of them or of none.
    pub(super) fn shard_all(&mut self, call: &CallSyntax<S>, results: &[usize]) -> Option<()> {
        let Some(last) = call.splits.last() else { return Some(()) };
        let (shardings, values) = (call.splits.len(), results.len());
        if shardings != values {
            let message = format!(
                "shardings don't match number of values: {shardings} shardings vs {values} values"
            );
            let help = "or write a sharding after a name: `let (a [..], b) = ..`";
            self.error(last.split.span, message, if values > 1 { help } else { "" });
            return None;
        }
        for (split, &result) in call.splits.iter().zip(results) {
            self.shard(self.built.values[result].value, split);
        }
        Some(())
    }

    /// Adds a call to the program.
    fn push(&mut self, call: Call, span: S) {
        self.built.nodes.push(Node::Call(self.built.calls.len()));
        self.built.calls.push((call, span));
    }

    /// Checks that the number of names is the number of results.
    pub(super) fn has_names(&mut self, names: &[NameSyntax<S>], results: usize, span: S) -> bool {
        if results == 0 {
            self.error(span, "the operation has no results, so it does nothing", "");
            return false;
        }
        let fits = names.len() == results;
        if !fits {
            let plural = |count| if count == 1 { "" } else { "s" };
            let (names, results_s) = (names.len(), plural(results));
            let message = format!(
                "the operation has {results} result{results_s}, found {names} name{}",
                plural(names)
            );
            let help = if results > 1 { "write `let (a, b) = ..`" } else { "" };
            self.error(span, message, help);
        }
        fits
    }

    /// The results and the rule of a call, and its operation; `None` if the rule is written in the program.
    fn infer(
        &mut self,
        call: &CallSyntax<S>,
        operands: &[usize],
        attributes: &Attributes,
    ) -> Option<Result<(Option<&'static Operation>, Inferred), OpError>> {
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
        let values = operands.iter().map(|&at| &self.built.values[at]);
        let operands: Vec<_> =
            values.map(|value| TensorType::new(value.dtype, &value.dims)).collect();
        Some(match rule {
            Some(rule) => ops::infer_custom(rule, &operands).map(|inferred| (None, inferred)),
            None => ops::find(&call.op.text).and_then(|operation| {
                let inferred = operation.infer(&call.op.text, attributes, &operands)?;
                Ok((Some(operation), inferred))
            }),
        })
    }

    fn add(
        &mut self,
        call: &CallSyntax<S>,
        operation: Option<&Operation>,
        operands: &[usize],
        inferred: &mut Inferred,
        arguments: &Arguments<S>,
    ) -> Option<Op> {
        let values: Vec<_> = operands.iter().map(|&at| self.built.values[at].value).collect();
        let results: Vec<_> = inferred.results.iter().map(|(dims, _)| dims.as_slice()).collect();
        if call.op.text == "propagation_barrier" && call.rule.is_none() {
            return self.propagation_barrier(call, values[0], arguments);
        }
        if call.op.text == "constrain" && call.rule.is_none() {
            let [placed] = &call.splits[..] else {
                self.error(
                    call.span,
                    "expected a sharding after `constrain`",
                    "write `constrain(x) [{\"a\"}, {}]`, one `{..}` for each dimension",
                );
                return None;
            };
            let sharding = self.lower_split(placed)?;
            let constrained = self.built.graph.constraint(values[0], &sharding);
            let value = self.fails_in(placed, constrained)?;
            return self.built.graph.definition(value);
        }
        let Some(rule) = inferred.rule.take() else {
            return Some(self.built.graph.opaque_op(&values, &results));
        };
        let kind = operation.map_or(OpKind::Other, |_| {
            let rank = |dims: Option<&[usize]>| dims.map_or(0, <[usize]>::len);
            let first = operands.first().map(|at| &self.built.values[*at].dims[..]);
            ops::kind_of_call(&call.op.text, rank(first), rank(results.first().copied()))
        });
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

/// The arguments of a call, and their spans.
pub(super) struct Arguments<S> {
    pub(super) taken: Vec<Taken>,
    pub(super) spans: Vec<S>,
    lists: Vec<S>,
    names: Vec<S>,
    pub(super) attributes: Attributes,
}

/// The operands of a call; `None` for those without a name.
fn operands_of<S>(call: &CallSyntax<S>) -> Vec<Option<&str>> {
    values_of(call)
        .map(|value| match value {
            ExpressionSyntax::Name(name) => Some(name.text.as_str()),
            _ => None,
        })
        .collect()
}

/// The operands of a call.
fn values_of<S>(call: &CallSyntax<S>) -> impl Iterator<Item = &ExpressionSyntax<S>> {
    call.arguments.iter().filter_map(|argument| match argument {
        ArgumentSyntax::Value(value) => Some(value),
        _ => None,
    })
}

/// The help `write `f(.., [1])` around it` with the name of the operand that it is about, if it has one.
fn around(help: String, operand: Option<&str>) -> String {
    match (operand, help.split_once("(..").zip(help.strip_suffix(" around it"))) {
        (Some(operand), Some((_, whole))) => whole.replacen("(..", &format!("({operand}"), 1),
        _ => help,
    }
}

/// The dimensions that a call names as other libraries do, `axis=0`, `dim=[0, 1]`, or gives by number, as `[0, 1]`.
fn dims_of<S>(call: &CallSyntax<S>) -> Option<String> {
    let numbers = call.arguments.iter().find_map(|argument| match argument {
        ArgumentSyntax::Attribute(AttributeSyntax::List(numbers), _) => Some(&numbers[..]),
        ArgumentSyntax::Attribute(AttributeSyntax::Number(number), _) => {
            Some(core::slice::from_ref(number))
        }
        ArgumentSyntax::Named(name, dims) if DIMS.contains(&name.text.as_str()) => match dims {
            AttributeSyntax::List(numbers) => Some(numbers),
            AttributeSyntax::Number(number) => Some(core::slice::from_ref(number)),
            AttributeSyntax::Word(_) => None,
        },
        _ => None,
    })?;
    let is_known = numbers.iter().all(|number| number.value >= 0);
    let numbers: Vec<_> = numbers.iter().map(|number| number.value.to_string()).collect();
    is_known.then(|| format!("[{}]", numbers.join(", ")))
}

/// The names that other libraries give the dimensions of an operation.
const DIMS: [&str; 6] = ["axis", "axes", "dim", "dims", "dimension", "dimensions"];

/// A help with the operands of a call in place of those of the examples in it: `dot(x, y)` becomes `dot(h, w)`.
fn with_operands<S>(help: &str, call: &CallSyntax<S>) -> String {
    let operands = operands_of(call);
    let mut pieces = help.split('(');
    let mut text = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let before = text.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        let is_call = before.is_some_and(|name| ops::find(name).is_ok());
        let end = piece.find(')').filter(|_| is_call).unwrap_or(0);
        let arguments = piece[..end].split(", ").enumerate().map(|(at, example)| {
            let is_name =
                !example.is_empty() && example.bytes().all(|byte| byte.is_ascii_lowercase());
            operands.get(at).copied().flatten().filter(|_| is_name).unwrap_or(example)
        });
        text.push('(');
        text += &arguments.collect::<Vec<_>>().join(", ");
        text += &piece[end..];
    }
    text
}

impl<S: Copy> Arguments<S> {
    fn span(&self, subject: &Subject) -> Option<S> {
        match subject {
            Subject::Call => None,
            Subject::Operand(at) => self.spans.get(*at).copied(),
            Subject::List(at) => self.lists.get(*at).copied(),
            Subject::Attribute(name) => {
                let at = self.attributes.named.iter().position(|(other, _)| other == name);
                at.and_then(|at| self.names.get(at).copied())
            }
        }
    }
}
