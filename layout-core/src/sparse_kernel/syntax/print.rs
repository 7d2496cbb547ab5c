//! Prints a statement as it was written, with canonical spaces.

use super::body::{ReductionSyntax, StatementSyntax};
use super::expr::{ExprSyntax, RegionSyntax};
use super::subscript::SubscriptSyntax;
use crate::sparse_kernel::ir::{BinaryOp, Reduction};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(super) fn statement<S>(statement: &StatementSyntax<S>) -> String {
    let target = access(&statement.target.text, &statement.subscripts);
    let value = expr(&statement.value, 0);
    let text = match &statement.reduction {
        ReductionSyntax::Semiring { monoid, accumulates, .. } => {
            let operator = match (accumulates, monoid.reduction()) {
                (false, _) => "=",
                (true, Reduction::Sum) => "+=",
                (true, Reduction::Product) => "*=",
                (true, Reduction::Min) => "min=",
                (true, _) => "max=",
            };
            format!("{target} {operator} {value}")
        }
        ReductionSyntax::Witness { largest, index, .. } => {
            let name = if *largest { "argmax" } else { "argmin" };
            format!("{target} = {name}({value}, {})", index.text)
        }
        ReductionSyntax::Assign => format!("{target} = {value}"),
        ReductionSyntax::Sum => format!("{target} += {value}"),
        ReductionSyntax::Product => format!("{target} *= {value}"),
        ReductionSyntax::Min => format!("{target} min= {value}"),
        ReductionSyntax::Max => format!("{target} max= {value}"),
        ReductionSyntax::Custom { function, identity } => {
            format!("{target} = reduce({}, {}, {value})", function.text, identity.text)
        }
    };
    match &statement.guard {
        Some(guard) => format!("{text} if {}", expr(guard, 0)),
        None => text,
    }
}

/// A value.
pub(super) fn value<S>(value: &ExprSyntax<S>) -> String {
    expr(value, 0)
}

/// A value that any operator can follow or precede.
pub(super) fn value_alone<S>(value: &ExprSyntax<S>) -> String {
    expr(value, 3)
}

pub(super) fn access<S>(name: &str, subscripts: &[SubscriptSyntax<S>]) -> String {
    let subscripts: Vec<String> = subscripts.iter().map(subscript).collect();
    match subscripts.is_empty() {
        true => name.to_string(),
        false => format!("{name}[{}]", subscripts.join(", ")),
    }
}

fn subscript<S>(subscript: &SubscriptSyntax<S>) -> String {
    let mut text = String::new();
    let mut term = |negative: bool, term: String| {
        match (text.is_empty(), negative) {
            (true, true) => text.push('-'),
            (true, false) => {}
            (false, true) => text.push_str(" - "),
            (false, false) => text.push_str(" + "),
        }
        text.push_str(&term);
    };
    for (coefficient, name) in &subscript.terms {
        let factor = coefficient.unsigned_abs();
        let name = &name.text;
        term(
            *coefficient < 0,
            if factor == 1 { name.clone() } else { format!("{factor} * {name}") },
        );
    }
    if subscript.constant != 0 || subscript.terms.is_empty() {
        term(subscript.constant < 0, subscript.constant.unsigned_abs().to_string());
    }
    text
}

/// An expression, in parentheses if the operator around it binds tighter: 1 for a sum, 2 for a product, 3 for a sign.
fn expr<S>(syntax: &ExprSyntax<S>, around: u8) -> String {
    let list = |values: &[ExprSyntax<S>]| -> Vec<String> {
        values.iter().map(|value| expr(value, 0)).collect()
    };
    match syntax {
        ExprSyntax::Literal(name) | ExprSyntax::Name(name) => name.text.clone(),
        ExprSyntax::Access { name, subscripts, .. } => access(&name.text, subscripts),
        ExprSyntax::Negative(value, _) => format!("-{}", expr(value, 3)),
        ExprSyntax::Binary(op, left, right) => {
            let binds = match op {
                BinaryOp::Mul | BinaryOp::Div => 2,
                BinaryOp::Add | BinaryOp::Sub => 1,
                _ => 0,
            };
            let text = format!("{} {} {}", expr(left, binds), op.name(), expr(right, binds + 1));
            if binds < around { format!("({text})") } else { text }
        }
        ExprSyntax::Call { name, arguments, .. } => {
            format!("{}({})", name.text, list(arguments).join(", "))
        }
        ExprSyntax::Product { monoid, multiply, operands, .. } => {
            let (a, b) = (expr(&operands.0, 0), expr(&operands.1, 0));
            format!("{}.{}({a}, {b})", monoid.text, multiply.name())
        }
        ExprSyntax::Custom { function, arguments, .. } => {
            format!("call({}, {})", function.text, list(arguments).join(", "))
        }
        ExprSyntax::Regions { arguments, regions, .. } => {
            let mut parts = list(arguments);
            for (region, what) in regions {
                let what = match what {
                    RegionSyntax::Identity => "identity",
                    RegionSyntax::Function(function) => &function.text,
                };
                parts.push(format!("{} = {what}", region.text));
            }
            let name = if arguments.len() == 2 { "binary" } else { "unary" };
            format!("{name}({})", parts.join(", "))
        }
    }
}
