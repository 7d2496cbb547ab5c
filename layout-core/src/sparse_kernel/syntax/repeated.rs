//! Terms of a sum that lack some of the indices over which it is taken.

use super::body::{ReductionSyntax, StatementSyntax};
use super::expr::ExprSyntax;
use super::signature::ItemSyntax;
use super::subscript::SubscriptSyntax;
use super::{print, values};
use crate::sparse_kernel::ir::BinaryOp;
use crate::syntax::Span;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A term that is added several times: `b[i]` in `y[i] = a[i, j] * x[j] + b[i]`, once for each `j`.
#[derive(Clone, Debug)]
pub struct RepeatedTerm<S> {
    /// What happens, and what to write if it should be added once.
    pub text: String,
    /// The location of the term.
    pub span: S,
}

impl<S: Span> ItemSyntax<S> {
    /// The terms that are added several times, in all statements of the function. Statements with a semiring or with another
    /// reduction than a sum have none.
    pub fn repeated_terms(&self) -> Vec<RepeatedTerm<S>> {
        let statements: Vec<&StatementSyntax<S>> = match self {
            Self::One(kernel) => alloc::vec![&kernel.statement],
            Self::Several(several) => several.steps.iter().map(|step| &step.statement).collect(),
        };
        statements.into_iter().flat_map(of_statement).collect()
    }
}

fn of_statement<S: Span>(statement: &StatementSyntax<S>) -> Vec<RepeatedTerm<S>> {
    if !matches!(statement.reduction, ReductionSyntax::Assign | ReductionSyntax::Sum) {
        return Vec::new();
    }
    let mut of_target = Vec::new();
    add_indices(&statement.subscripts, &mut of_target);
    let mut found = Vec::new();
    terms(&statement.value, &mut found);
    let mut subscripts = of_target.clone();
    values::subscripts(&statement.value, &mut |found| add_indices(found, &mut subscripts));
    let indices: Vec<Vec<&str>> = found.iter().map(|term| indices(term, &subscripts)).collect();
    let repeated = |at: usize| {
        let all = indices.iter().flatten();
        let missing = all
            .copied()
            .find(|index| !of_target.contains(index) && !indices[at].contains(index))?;
        let term = print::value(found[at]);
        let sum = match of_target.is_empty() {
            true => String::from("sum"),
            false => format!("sum[{}]", of_target.join(", ")),
        };
        let text = format!(
            "`{term}` is added once for each `{missing}`\n\n\
             help: to add it only once, sum the other terms in a separate statement: `let {sum} = ..`"
        );
        Some(RepeatedTerm { text, span: found[at].span() })
    };
    (0..found.len()).filter_map(repeated).collect()
}

/// The terms of a sum or a difference.
fn terms<'a, S>(value: &'a ExprSyntax<S>, found: &mut Vec<&'a ExprSyntax<S>>) {
    match value {
        ExprSyntax::Negative(value, _) => terms(value, found),
        ExprSyntax::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            terms(left, found);
            terms(right, found);
        }
        term => found.push(term),
    }
}

/// The indices that a term has as subscripts or, of those that are `subscripts` somewhere in the statement, as values.
fn indices<'a, S: Span>(term: &'a ExprSyntax<S>, subscripts: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    values::subscripts(term, &mut |subscripts| add_indices(subscripts, &mut found));
    values::names(term, &mut |name| {
        if subscripts.contains(&name.text.as_str()) {
            found.push(&name.text);
        }
    });
    found
}

fn add_indices<'a, S: Span>(subscripts: &'a [SubscriptSyntax<S>], found: &mut Vec<&'a str>) {
    for subscript in subscripts {
        subscript.each(&mut |subscript| {
            let gathered =
                |name: &str| subscript.gathers.iter().any(|gather| gather.index.text == name);
            let names = subscript.terms.iter().map(|(_, name)| name.text.as_str());
            found.extend(names.filter(|name| !gathered(name)));
        });
    }
}
