//! Values that a statement computes besides its result, such as the position of a maximum.

use super::super::Name;
use super::super::body::{ReductionSyntax, StatementSyntax};
use super::super::expr::ExprSyntax;
use super::super::signature::{OperandSyntax, StepSyntax};
use super::super::subscript::SubscriptSyntax;
use super::{Several, indices, reads};
use crate::sparse_kernel::ir::BinaryOp;
use crate::sparse_kernel::{ElementType, Monoid, Multiply};
use crate::syntax::Span;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a, S: Span> Several<'a, '_, S> {
    /// Plans the extremum, and then the smallest index with that value. Both are computed in a type that contains values and
    /// indices.
    pub(super) fn witness(
        &mut self,
        step: &'a StepSyntax<S>,
        target: &'a OperandSyntax<S>,
        (largest, index, span): (bool, &'a Name<S>, S),
    ) {
        let Some((dims, element)) = self.checked_witness(step, target, (largest, index, span))
        else {
            return;
        };
        let statement = &step.statement;
        let named = |text: &str| Name { text: text.to_string(), span: statement.target.span };
        let extremum = if largest { "max" } else { "min" };
        let extremum = self.unused_name(format!("{}_{extremum}", target.name.text));
        let element = named(element.name());
        let temporary = OperandSyntax::made(named(&extremum), element.clone(), dims.clone());
        let first = StatementSyntax {
            target: named(&extremum),
            reduction: if largest { ReductionSyntax::Max } else { ReductionSyntax::Min },
            ..statement.clone()
        };
        self.plan(first, step, temporary.clone(), temporary);
        let extremum = match dims.is_empty() {
            true => ExprSyntax::Name(named(&extremum)),
            false => ExprSyntax::Access {
                name: named(&extremum),
                subscripts: statement.subscripts.clone(),
                span: statement.target_span,
            },
        };
        let monoid = Monoid::Min;
        let operands = Box::new((ExprSyntax::Name(index.clone()), statement.value.clone()));
        let second = StatementSyntax {
            reduction: ReductionSyntax::Semiring { monoid, accumulates: false, span },
            value: ExprSyntax::Product {
                monoid: named(monoid.name()),
                multiply: Multiply::First,
                operands,
                span,
            },
            guard: Some(is_extremum(statement, extremum)),
            ..statement.clone()
        };
        let mut output = target.clone();
        output.made = true;
        output.element = element;
        self.plan(second, step, output, target.clone());
    }

    /// The dimensions of the output of `argmin` or `argmax`, and the type in which it is computed. `None` if there are mistakes.
    pub(super) fn checked_witness(
        &mut self,
        step: &StepSyntax<S>,
        target: &OperandSyntax<S>,
        (largest, index, span): (bool, &Name<S>, S),
    ) -> Option<(Vec<Name<S>>, ElementType)> {
        let (statement, name) = (&step.statement, if largest { "argmax" } else { "argmin" });
        let before = self.diagnostics.len();
        if ElementType::parse(&target.element.text) != Some(ElementType::I64) {
            let (target, element) = (&target.name.text, &target.element.text);
            let message = format!("`{target}` is an index, but has elements of type `{element}`");
            let help = format!("give `{target}` elements of type `i64`");
            self.report(statement.target.span, message, help);
        }
        let indices = indices(statement);
        if !indices.contains(&index.text.as_str()) {
            let known: Vec<String> = indices.iter().map(|index| format!("`{index}`")).collect();
            let message = format!("the statement has no index `{}`", index.text);
            self.report(index.span, message, format!("its indices are {}", known.join(", ")));
        }
        let plain = |subscript: &SubscriptSyntax<S>| subscript.plain().cloned();
        let dims: Option<Vec<Name<S>>> = statement.subscripts.iter().map(plain).collect();
        let Some(dims) = dims else {
            let message = format!("`{name}` is computed for each index, not for a sum of indices");
            self.report(statement.target_span, message, "write `at[i] = ..`");
            return None;
        };
        let Some(element) = self.common(statement) else {
            let message =
                format!("`{name}` cannot compare these operands and count indices in one type");
            let help = "operands are floats, `bool`, or integers that `i64` holds";
            self.report(span, message, help);
            return None;
        };
        if let Some(accumulator) = &step.accumulator {
            let message = format!("`{name}` computes in `{element}`");
            self.report(accumulator.span, message, "leave out the accumulator");
        }
        (self.diagnostics.len() == before).then_some((dims, element))
    }

    /// `name`, with underscores appended until no operand has that name.
    pub(super) fn unused_name(&self, mut name: String) -> String {
        let operands = self.syntax.parameters.iter().chain(&self.syntax.outputs);
        let operands: Vec<&str> = operands
            .chain(self.syntax.steps.iter().filter_map(|step| step.declared.as_ref()))
            .map(|operand| operand.name.text.as_str())
            .collect();
        while operands.contains(&name.as_str()) {
            name.push('_');
        }
        name
    }

    /// The type that contains all values that a statement reads, and all indices: `i64`, or `f64` if a value can have a
    /// fraction.
    pub(super) fn common(&self, statement: &StatementSyntax<S>) -> Option<ElementType> {
        let read: Vec<&str> = reads(statement).map(|name| name.text.as_str()).collect();
        let operands =
            self.known.iter().filter(|known| read.contains(&known.operand.name.text.as_str()));
        let types: Option<Vec<ElementType>> =
            operands.map(|known| ElementType::parse(&known.operand.element.text)).collect();
        let types = types?;
        let holds = |wide: &ElementType| {
            types.iter().all(|element| element == wide || element.widens_to(*wide))
        };
        [ElementType::I64, ElementType::F64].into_iter().find(holds)
    }
}

/// Whether the value of a statement is the extremum and its guard holds, as an expression that is zero otherwise. If there is a
/// NaN among the values, the extremum is NaN, and the expression is nonzero for the NaN.
fn is_extremum<S: Span>(statement: &StatementSyntax<S>, extremum: ExprSyntax<S>) -> ExprSyntax<S> {
    let of = |op, a, b| ExprSyntax::Binary(op, Box::new(a), Box::new(b));
    let value = || statement.value.clone();
    let taken = of(BinaryOp::Equal, value(), extremum);
    let taken = of(BinaryOp::Add, taken, of(BinaryOp::NotEqual, value(), value()));
    match &statement.guard {
        Some(guard) => {
            let zero = Name { text: "0".to_string(), span: statement.target.span };
            let holds = of(BinaryOp::NotEqual, guard.clone(), ExprSyntax::Literal(zero));
            of(BinaryOp::Mul, holds, taken)
        }
        None => taken,
    }
}
