//! Finds statements of a function whose loops over rows can be merged into one loop. Of an array that one of them computes for
//! another, only the current row is then stored.

use super::several::{LoweredStatement, Source};
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{Held, Kernel, OperandId, OutputMode};
use crate::sparse_kernel::passes::rows::{leave_out_fill, row_loop};
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

/// The groups of steps that share their outermost loop, each of at least two steps. `outputs` contains the steps that compute the
/// outputs of the function. The kernels mark operands of which they keep only one row.
pub(super) fn share<S>(steps: &mut [LoweredStatement<S>], outputs: &[usize]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    while start < steps.len() {
        let mut end = start + 1;
        while end < steps.len() && joins(steps, start, end) {
            end += 1;
        }
        let fits = |end: &usize| is_group(steps, outputs, start..*end);
        let Some(end) = (start + 2..=end).rev().find(fits) else {
            start += 1;
            continue;
        };
        hold(steps, outputs, start..end);
        groups.push(start..end);
        start = end;
    }
    groups
}

/// Whether the step `next` can run in the loop of the steps from `start` on.
fn joins<S>(steps: &[LoweredStatement<S>], start: usize, next: usize) -> bool {
    let (first, step) = (&steps[start], &steps[next]);
    // The value that a temporary would store must be exactly the value that is computed.
    let exact = |step: &LoweredStatement<S>| {
        let element = ElementType::parse(&step.target.element.text)?;
        (element.wide() == element && !step.casts()).then_some(element)
    };
    let same = exact(first).is_some()
        && exact(first) == exact(step)
        && first.kernel.parts.is_some() == step.kernel.parts.is_some();
    let made: Vec<OperandId> = step.made_by(&(start..next)).collect();
    let rows = |kernel: &Kernel| row_loop(kernel).is_some_and(|rows| rows.is_nested());
    same && !made.is_empty()
        && rows(&first.kernel)
        && row_loop(&step.kernel).is_some_and(|rows| rows.reads_rows(&step.kernel, &made))
}

/// Whether all results of a group that are used later are arrays, and only one of them is if the parts of the group run on several
/// threads.
fn is_group<S>(steps: &[LoweredStatement<S>], outputs: &[usize], group: Range<usize>) -> bool {
    let kept: Vec<usize> =
        group.clone().filter(|step| is_kept(steps, outputs, &group, *step)).collect();
    let array = |step: &usize| steps[*step].kernel.result == OutputMode::Positions;
    kept.iter().all(array) && (kept.len() == 1 || steps[group.start].kernel.parts.is_none())
}

/// Whether the result of a step of a group is an output, or is read by a step outside the group.
fn is_kept<S>(
    steps: &[LoweredStatement<S>],
    outputs: &[usize],
    group: &Range<usize>,
    step: usize,
) -> bool {
    let later = &steps[group.end..];
    outputs.contains(&step)
        || later.iter().any(|later| later.reads.contains(&Source::Statement(step)))
}

/// Marks the operands of which only one row is kept.
fn hold<S>(steps: &mut [LoweredStatement<S>], outputs: &[usize], group: Range<usize>) {
    for number in group.clone() {
        let kept = is_kept(steps, outputs, &group, number);
        for operand in 0..steps[number].reads.len() {
            if let Source::Statement(made) = steps[number].reads[operand]
                && group.contains(&made)
            {
                let kernel = &steps[made].kernel;
                let held = kernel.operands[kernel.output].held.clone();
                steps[number].kernel.operands[operand].held = held;
            }
        }
        let kernel = &mut steps[number].kernel;
        if kept {
            leave_out_fill(kernel);
            continue;
        }
        let (held, rows) = match kernel.result {
            OutputMode::Pattern(of) => {
                let of = match &kernel.operands[of].held {
                    Held::RowOf(of) => of.clone(),
                    Held::All | Held::Row => kernel.operands[of].name.clone(),
                };
                (Held::RowOf(of), "the entries of a row")
            }
            _ if kernel.output_shape.len() == 1 => (Held::Row, "an element"),
            _ => (Held::Row, "a row"),
        };
        let output = &mut kernel.operands[kernel.output];
        let note = format!("`{}` is not stored: only {rows} at a time", output.name);
        output.held = held;
        kernel.notes.push(note);
    }
}
