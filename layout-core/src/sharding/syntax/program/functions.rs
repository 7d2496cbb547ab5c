//! The functions of a program: the function that no other function calls, and the functions that are called.

use super::{ArgumentSyntax, BodySyntax, ExpressionSyntax, FunctionSyntax, StatementSyntax};
use crate::syntax::{Cursor, Parsed, Span, Stop};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

/// Separates the function that no other function calls from those that are called.
pub(super) fn parted<S: Span>(
    cursor: &mut Cursor<'_, S>,
    mut functions: Vec<FunctionSyntax<S>>,
) -> Parsed<(FunctionSyntax<S>, Vec<FunctionSyntax<S>>)> {
    // In a program with one function, every call is a call of an operation, whatever its name.
    if let [_] = functions[..] {
        return functions.pop().map(|function| (function, functions)).ok_or(Stop);
    }
    let before = cursor.diagnostics.len();
    let mut numbers = BTreeMap::new();
    for (at, FunctionSyntax { name, .. }) in functions.iter().enumerate() {
        if numbers.insert(name.text.as_str(), at).is_some() {
            let message = format!("the function `{}` is defined twice", name.text);
            cursor.report(name.span, message, "every function must have a different name");
        }
    }
    let mut called = BTreeSet::new();
    for function in &functions {
        calls(&function.body, &mut |name| {
            called.extend(numbers.get(name).copied());
        });
    }
    let roots: Vec<_> = (0..functions.len()).filter(|at| !called.contains(at)).collect();
    match roots[..] {
        [root] => {
            for at in called {
                let FunctionSyntax { visibility, name, .. } = &functions[at];
                if let Some(span) = visibility {
                    let message = format!("only `{}` becomes a module", functions[root].name.text);
                    let help = format!("leave it out: `{}` is part of the program", name.text);
                    cursor.report(*span, message, help);
                }
            }
            if cursor.diagnostics.len() > before {
                return Err(Stop);
            }
            let function = functions.remove(root);
            // The text after a value that a function returns is the sharding of the result of the call.
            for (value, split) in functions.iter_mut().flat_map(|called| &mut called.body.returns) {
                if let ExpressionSyntax::Call(call) = value
                    && split.is_none()
                {
                    *split = call.splits.pop();
                }
            }
            return Ok((function, functions));
        }
        [] => {
            let first = &functions[0].name;
            let help = "a program is a function that no other function calls, with all functions that it calls";
            cursor.report(first.span, "every function is called by another one", help);
        }
        [first, second, ..] => {
            let (first, second) = (&functions[first].name, &functions[second].name);
            let message = format!("no function calls `{}` or `{}`", first.text, second.text);
            let help = "a program is a function that no other function calls, with all functions that it calls; write `propagate!` once for each program";
            cursor.report(second.span, message, help);
        }
    }
    Err(Stop)
}

/// Finds the operations and functions that a body calls.
fn calls<S>(body: &BodySyntax<S>, found: &mut dyn FnMut(&str)) {
    for statement in &body.statements {
        if let StatementSyntax::Let(_, value) = statement {
            calls_in(value, found);
        }
    }
    body.returns.iter().for_each(|(value, _)| calls_in(value, found));
}

fn calls_in<S>(value: &ExpressionSyntax<S>, found: &mut dyn FnMut(&str)) {
    match value {
        ExpressionSyntax::Name(_) => {}
        ExpressionSyntax::Call(call) => {
            if call.rule.is_none() {
                found(&call.op.text);
            }
            for argument in &call.arguments {
                if let ArgumentSyntax::Value(value) = argument {
                    calls_in(value, found);
                }
            }
        }
        ExpressionSyntax::Region(region) => {
            region.inputs.iter().for_each(|input| calls_in(&input.value, found));
            region.bodies.iter().for_each(|body| calls(body, found));
        }
    }
}
