//! Fuses statements of a function: a statement that computes each element of its output from one element of a temporary becomes
//! part of the loops that compute the temporary, which is then not stored.

use super::body::ReductionSyntax;
use super::lower::lower_kernel;
use super::several::{LoweredStatement, Source};
use super::signature::{OperandSyntax, TypeSyntax};
use super::subscript::SubscriptSyntax;
use crate::sparse::SparseEncoding;
use crate::sparse_kernel::{ElementType, Monoid, passes::finish};
use crate::syntax::Span;
use alloc::format;
use alloc::vec::Vec;

/// Fuses all statements that can be fused. `outputs` contains the steps that compute the outputs of the function.
pub(super) fn fuse<S: Span>(
    steps: &mut Vec<LoweredStatement<S>>,
    outputs: &mut [usize],
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) {
    let mut number = 1;
    while number < steps.len() {
        let made = steps[number].reads.iter().filter_map(|source| match source {
            Source::Statement(made) => Some(*made),
            Source::Parameter(_) => None,
        });
        let fused = made
            .filter(|made| !outputs.contains(made))
            .find_map(|made| Some((made, fused(steps, made, number, encodings)?)));
        let Some((made, step)) = fused else {
            number += 1;
            continue;
        };
        steps[number] = step;
        steps.remove(made);
        let moved = |step: &mut usize| *step -= usize::from(*step > made);
        outputs.iter_mut().for_each(moved);
        for source in steps.iter_mut().flat_map(|step| &mut step.reads) {
            if let Source::Statement(step) = source {
                moved(step);
            }
        }
    }
}

/// The step `number` with the step `made` fused into it.
fn fused<S: Span>(
    steps: &[LoweredStatement<S>],
    made: usize,
    number: usize,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) -> Option<LoweredStatement<S>> {
    let (first, second) = (&steps[made], &steps[number]);
    let reads = steps.iter().flat_map(|step| &step.reads);
    let is_dense = |target: &OperandSyntax<S>| matches!(target.ty, TypeSyntax::Dense);
    let element = ElementType::parse(&first.target.element.text)?;
    let known = ElementType::parse(&second.target.element.text) == Some(element);
    let plain =
        is_dense(&first.target) && is_dense(&second.target) && second.syntax.schedule.is_empty();
    // The value that the temporary would store must be exactly the value that is computed.
    let exact = known && element.wide() == element && !first.casts() && !second.casts();
    let single = second.fused.is_empty();
    let once = reads.filter(|source| **source == Source::Statement(made)).count() == 1;
    let same = indices(&first.syntax.statement.subscripts)?
        == indices(&second.syntax.statement.subscripts)?;
    if !(plain && exact && single && once && same) {
        return None;
    }
    let temporary = second.reads.iter().position(|source| *source == Source::Statement(made))?;
    let mut syntax = first.syntax.clone();
    let mut reads = first.reads.clone();
    for (operand, source) in second.syntax.parameters.iter().zip(&second.reads) {
        if !reads.contains(source) && *source != Source::Statement(made) {
            syntax.parameters.push(operand.clone());
            reads.push(*source);
        }
    }
    syntax.output = second.syntax.output.clone();
    syntax.statement.target = second.syntax.statement.target.clone();
    // A temporary has no earlier values, so the reduction must not include any.
    let span = syntax.statement.span;
    let reduced = |monoid| ReductionSyntax::Semiring { monoid, accumulates: false, span };
    syntax.statement.reduction = match syntax.statement.reduction {
        ReductionSyntax::Sum => ReductionSyntax::Assign,
        ReductionSyntax::Product => reduced(Monoid::Times),
        ReductionSyntax::Min => reduced(Monoid::Min),
        ReductionSyntax::Max => reduced(Monoid::Max),
        other => other,
    };
    let (mut kernel, functions) = lower_kernel(&syntax, encodings, &mut Vec::new())?;
    let mut fused = first.fused.clone();
    fused.push((second.kernel.clone(), temporary));
    if !fused.iter().all(|(by, temporary)| finish(&mut kernel, by, *temporary)) {
        return None;
    }
    kernel.statement = format!("{}; {}", first.kernel.statement, second.kernel.statement);
    for (by, temporary) in &fused {
        let name = &by.operands[*temporary].name;
        let note =
            format!("`{name}` is not stored: each of its elements is used where it is computed");
        kernel.notes.push(note);
    }
    Some(LoweredStatement {
        syntax,
        kernel,
        functions,
        reads,
        target: second.target.clone(),
        fused,
        kept: None,
    })
}

/// The names of subscripts that are single indices.
fn indices<S: Span>(subscripts: &[SubscriptSyntax<S>]) -> Option<Vec<&str>> {
    subscripts.iter().map(|subscript| Some(subscript.plain()?.text.as_str())).collect()
}
