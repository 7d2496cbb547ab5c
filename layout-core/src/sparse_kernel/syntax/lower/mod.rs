mod signature;

mod schedule;

use super::body::ReductionSyntax;
use super::expr::FunctionSyntax;
use super::schedule::ScheduleSyntax;
use super::signature::{KernelSyntax, TypeSyntax};
use super::subscript::SubscriptSyntax;
use super::{Name, values};
use crate::sparse::SparseEncoding;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{Function, IndexId, Kernel, OperandId, Reduction};
use crate::sparse_kernel::statement::{Access, AccessId, Expr, OperandSpec, Statement, Subscript};
use crate::sparse_kernel::{Literal, Monoid, Subject, compile};
use crate::syntax::{Diagnostics, Span};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Turns a written kernel into loops, and returns the location of each of their functions. `encodings` finds encodings by name.
/// Every mistake is reported at its location.
pub fn lower_kernel<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<(Kernel, Vec<S>)> {
    let (statement, functions) = lower_statement(syntax, encodings, diagnostics)?;
    match compile(&statement) {
        Ok(kernel) => Some((kernel, functions)),
        Err(problem) => {
            let span = match problem.subject {
                Subject::Statement => syntax.statement.span,
                Subject::Output => syntax.output.span,
                Subject::Operand(operand) => {
                    syntax.parameters.get(operand).map_or(syntax.output.span, |o| o.span)
                }
                Subject::Index(index) => {
                    let names = Names { syntax, indices: Vec::new() };
                    names.index_span(index).unwrap_or(syntax.statement.span)
                }
                Subject::Order => syntax
                    .schedule
                    .iter()
                    .find_map(|schedule| match schedule {
                        ScheduleSyntax::Order(_, span) => Some(*span),
                        _ => None,
                    })
                    .unwrap_or(syntax.statement.span),
                Subject::OrderPart(nth) => {
                    let orders = syntax.schedule.iter().flat_map(|schedule| match schedule {
                        ScheduleSyntax::Order(parts, _) => &parts[..],
                        _ => &[],
                    });
                    orders.map(|part| part.span).nth(nth).unwrap_or(syntax.statement.span)
                }
                Subject::Hint(hint) => {
                    let mut hints = syntax.schedule.iter().filter_map(ScheduleSyntax::part);
                    hints.nth(hint).map_or(syntax.statement.span, |part| part.span)
                }
            };
            report(diagnostics, span, problem.message, problem.help);
            None
        }
    }
}

/// Turns a written kernel into a statement whose names are resolved, and returns the location of each of its functions.
fn lower_statement<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<(Statement, Vec<S>)> {
    let mut names = Names { syntax, indices: Vec::new() };
    names.collect();
    let mut lower = Lower {
        syntax,
        gathered: alloc::vec![None; names.indices.len()],
        indices: names.indices,
        operands: Vec::new(),
        accesses: Vec::new(),
        functions: Vec::new(),
        diagnostics,
    };
    let before = lower.diagnostics.len();
    lower.signature(encodings);
    lower.bound();
    let statement = lower.statement();
    if diagnostics.len() > before { None } else { statement }
}

pub(super) fn report<S>(
    diagnostics: &mut Diagnostics<S>,
    span: S,
    message: impl Into<String>,
    help: impl Into<String>,
) {
    let (message, help) = (message.into(), help.into());
    diagnostics.push(crate::syntax::Diagnostic { span, message, help });
}

/// The indices of a statement, in the order of their first use.
struct Names<'a, S> {
    syntax: &'a KernelSyntax<S>,
    indices: Vec<&'a Name<S>>,
}

impl<'a, S: Span> Names<'a, S> {
    fn collect(&mut self) {
        let statement = &self.syntax.statement;
        self.subscripts(&statement.subscripts);
        values::subscripts(&statement.value, &mut |subscripts| self.subscripts(subscripts));
        if let Some(guard) = &statement.guard {
            values::subscripts(guard, &mut |subscripts| self.subscripts(subscripts));
        }
    }

    fn subscripts(&mut self, subscripts: &'a [SubscriptSyntax<S>]) {
        for subscript in subscripts {
            subscript.each(&mut |inner| {
                for (_, name) in &inner.terms {
                    if self.indices.iter().all(|index| index.text != name.text) {
                        self.indices.push(name);
                    }
                }
            });
        }
    }

    fn index_span(mut self, index: IndexId) -> Option<S> {
        self.collect();
        self.indices.get(index).map(|name| name.span)
    }
}

pub(super) struct Lower<'a, 'd, S> {
    pub(super) syntax: &'a KernelSyntax<S>,
    pub(super) indices: Vec<&'a Name<S>>,
    /// For each index that is an element of an index array instead of a loop, the access to that array.
    pub(super) gathered: Vec<Option<AccessId>>,
    pub(super) operands: Vec<OperandSpec>,
    pub(super) accesses: Vec<Access>,
    functions: Vec<(Function, S)>,
    pub(super) diagnostics: &'d mut Diagnostics<S>,
}

impl<'a, S: Span> Lower<'a, '_, S> {
    pub(super) fn report(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        report(self.diagnostics, span, message, help);
    }

    pub(super) fn index(&self, name: &str) -> Option<IndexId> {
        self.indices.iter().position(|index| index.text == name)
    }

    pub(super) fn operand(&self, name: &str) -> Option<OperandId> {
        self.operands.iter().position(|operand| operand.name == name)
    }

    /// The operand that a capitalized name means, as in formulas.
    pub(super) fn operand_in_another_case(&self, name: &str) -> Option<OperandId> {
        self.operands.iter().position(|operand| operand.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn output(&self) -> OperandId {
        self.operands.len() - 1
    }

    pub(super) fn function(&mut self, function: &FunctionSyntax<S>, arity: usize) -> usize {
        let span = function.span;
        if arity == 0 {
            self.number(&function.text, span);
        }
        let function = Function { text: function.text.clone(), arity };
        let known = self.functions.iter().position(|(other, _)| *other == function);
        known.unwrap_or_else(|| {
            self.functions.push((function, span));
            self.functions.len() - 1
        })
    }

    /// The element type.
    pub(super) fn element(&self) -> &'a str {
        &self.syntax.output.element.text
    }

    /// Reports a number that is not a value of the element type.
    pub(super) fn number(&mut self, text: &str, span: S) {
        let element = self.element();
        let infinite = |element| Literal::in_type(text, element).is_none();
        if Literal::parse(text).is_some() && ElementType::parse(element).is_some_and(infinite) {
            let message = format!("`{text}` is not a number of type `{element}`");
            self.report(span, message, "it is infinite in this type: use a larger type");
        }
        if let Some(number) = Literal::parse(text)
            && let Some(range) = Literal::range(element)
            && !number.is_in(&range)
        {
            let message = format!("`{text}` is not a number of type `{element}`");
            let help = format!("write a whole number from {} to {}", range.start(), range.end());
            self.report(span, message, help);
        }
    }

    /// Reports a minus sign before a value of an unsigned type.
    pub(super) fn sign(&mut self, span: S) {
        let element = self.element();
        if ElementType::parse(element).is_some_and(ElementType::is_unsigned) {
            let message = format!("`{element}` has no negative values");
            let help = "write a difference, such as `x - a[i]`, or use a signed type";
            self.report(span, message, help);
        }
    }

    fn statement(mut self) -> Option<(Statement, Vec<S>)> {
        let body = &self.syntax.statement;
        let output = self.output();
        if body.target.text != self.operands[output].name {
            let message = format!("`{}` is not the output", body.target.text);
            let help = format!("the output is `{}`", self.operands[output].name);
            self.report(body.target.span, message, help);
        }
        let target = self.subscripts(&body.subscripts);
        let target_sizes = self.target_sizes();
        self.rank(output, target.len(), body.target_span);
        let value = self.value(&body.value);
        let guard = body.guard.as_ref().map(|guard| self.value(guard));
        let (reduction, accumulates) = match &body.reduction {
            // A witness has been split into two statements.
            ReductionSyntax::Assign | ReductionSyntax::Witness { .. } => (Reduction::Sum, false),
            ReductionSyntax::Sum => (Reduction::Sum, true),
            ReductionSyntax::Product => (Reduction::Product, true),
            ReductionSyntax::Min => (Reduction::Min, true),
            ReductionSyntax::Max => (Reduction::Max, true),
            ReductionSyntax::Semiring { monoid, accumulates, span } => {
                self.logical(*monoid, *span);
                (monoid.reduction(), *accumulates)
            }
            ReductionSyntax::Custom { function, identity } => {
                let (function, identity) = (self.function(function, 2), self.function(identity, 0));
                (Reduction::Custom { function, identity }, false)
            }
        };
        if reduction == Reduction::Product
            && ElementType::parse(self.element()) == Some(ElementType::Bool)
        {
            let message = "`bool` has no product of numbers";
            let help =
                "to compute whether all are true, write `min=` or a semiring: `land.first(x, y)`";
            self.report(body.target_span, message, help);
        }
        let schedule = self.schedule();
        let sizes = self.sizes();
        let (value, guard) = (value?, guard.map_or(Some(None), |guard| guard.map(Some))?);
        self.unread();
        let floats = matches!(self.element(), "f32" | "f64");
        let sum_bytes = ElementType::parse(self.element()).map_or(8, ElementType::sum_bytes);
        let (functions, spans) = self.functions.into_iter().unzip();
        let statement = Statement {
            name: self.syntax.name.text.clone(),
            text: super::print::statement(body),
            operands: self.operands,
            indices: self.indices.iter().map(|name| name.text.clone()).collect(),
            sizes,
            gathered: self.gathered,
            target,
            target_sizes,
            reduction,
            accumulates,
            accesses: self.accesses,
            value,
            guard,
            floats,
            sum_bytes,
            functions,
            schedule,
        };
        Some((statement, spans))
    }

    /// Reports a monoid of `bool` if the elements of the output have another type.
    fn logical(&mut self, monoid: Monoid, span: S) {
        let element = self.element();
        if monoid.is_logical() && ElementType::parse(element) != Some(ElementType::Bool) {
            let (name, output) = (monoid.name(), &self.syntax.output.name.text);
            let message =
                format!("`{name}` reduces `bool`, but `{output}` has elements of type `{element}`");
            let other = if monoid == Monoid::Lor { "max" } else { "min" };
            let help = format!("give `{output}` elements of type `bool`, or use `{other}`");
            self.report(span, message, help);
        }
    }

    pub(super) fn subscripts(&mut self, subscripts: &[SubscriptSyntax<S>]) -> Vec<Subscript> {
        for gather in subscripts.iter().flat_map(|subscript| &subscript.gathers) {
            super::gather::gather(self, gather);
        }
        let lower = |syntax: &SubscriptSyntax<S>| {
            let mut terms: Vec<(i64, IndexId)> = Vec::new();
            for (coefficient, name) in &syntax.terms {
                let Some(index) = self.index(&name.text) else { continue };
                match terms.iter_mut().find(|(_, other)| *other == index) {
                    Some((sum, _)) => *sum = sum.saturating_add(*coefficient),
                    None => terms.push((*coefficient, index)),
                }
            }
            terms.retain(|(coefficient, _)| *coefficient != 0);
            Subscript { terms, constant: syntax.constant }
        };
        subscripts.iter().map(lower).collect()
    }

    /// Reports the wrong number of subscripts.
    pub(super) fn rank(&mut self, operand: OperandId, subscripts: usize, span: S) {
        let OperandSpec { name, dims, .. } = &self.operands[operand];
        // Two operands have the same name, so it is unclear which one is meant.
        let is_declared_once =
            self.operands.iter().filter(|other| other.name == *name).count() == 1;
        if dims.len() != subscripts && is_declared_once {
            let plural = |n: usize| if n == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` has {} dimension{}, but {subscripts} subscript{}",
                dims.len(),
                plural(dims.len()),
                plural(subscripts)
            );
            let mut help = self.as_declared(operand);
            let declared = self.syntax.parameters.get(operand).unwrap_or(&self.syntax.output);
            // An encoding has a fixed number of dimensions.
            if matches!(declared.ty, TypeSyntax::Dense) && subscripts > dims.len() {
                help += &format!(", or name {subscripts} dimensions in the signature");
            }
            self.report(span, message, help);
        }
    }

    /// The help that shows an operand with the names of its dimensions.
    pub(super) fn as_declared(&self, operand: OperandId) -> String {
        format!("write `{}`", self.declared(operand))
    }

    /// An element of an operand, with the names of its dimensions: `a[i, j]`.
    pub(super) fn declared(&self, operand: OperandId) -> String {
        self.syntax.parameters.get(operand).unwrap_or(&self.syntax.output).access()
    }

    pub(super) fn access(&mut self, access: Access) -> AccessId {
        let known = self.accesses.iter().position(|other| *other == access);
        known.unwrap_or_else(|| {
            self.accesses.push(access);
            self.accesses.len() - 1
        })
    }

    fn value(&mut self, syntax: &'a super::ExprSyntax<S>) -> Option<Expr> {
        values::value(self, syntax)
    }
}

fn dedup(mut names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    names.retain(|name| {
        let new = !seen.contains(name);
        if new {
            seen.push(name.to_string());
        }
        new
    });
    names
}
