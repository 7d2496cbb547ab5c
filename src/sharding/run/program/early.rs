//! The collectives that begin before the step that needs them: they begin as soon as their operands exist, and run at the same time
//! as the steps in between. The plan depends only on the program, so it is the same on every device.

use super::operation::Operation;
use super::routine::{Action, Begin, Routine};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::sharding::program::Program;

/// The largest number of collectives that have begun early at any time: each holds an array that is not needed yet.
const MAX_EARLY: usize = 4;

impl Routine<'_> {
    /// Plans which collectives begin early. `here` contains the values whose arrays exist at the start.
    pub(super) fn begin_early(&mut self, program: &Program, here: &[usize]) {
        // The step before which the array of each value exists. The result of a collective exists once a step has waited for
        // it.
        let mut ready: BTreeMap<usize, usize> = here.iter().map(|value| (*value, 0)).collect();
        let mut under_way = vec![0; self.steps.len()];
        let mut plan = Vec::new();
        for (step, next) in self.steps.iter_mut().enumerate() {
            let action = &mut next.action;
            if let Action::Operation(operation) = action {
                for (begin, values) in begins(operation, step) {
                    let from = values
                        .iter()
                        .try_fold(0, |from, value| Some(*ready.get(value)?.max(&from)));
                    let first = from.unwrap_or(step);
                    let between = under_way[first..step].iter().rev();
                    let at = step - between.take_while(|count| **count < MAX_EARLY).count();
                    if at < step {
                        under_way[at..step].iter_mut().for_each(|count| *count += 1);
                        plan.push((at, begin));
                    }
                }
            }
            let entered = entered(action, |value| ready.contains_key(&value), program);
            action.takes(&mut |value| {
                ready.entry(value).or_insert(step + 1);
            });
            // The results of a loop may exist from an earlier iteration when it runs again.
            action.makes(|value| {
                ready.remove(&value);
            });
            match action {
                Action::Operation(operation) if operation.is_done_at_once() => {
                    let made = operation.instruction.results();
                    ready.extend(made.iter().map(|value| (*value, step + 1)));
                }
                Action::Operation(_) | Action::Assign(_) => {}
                Action::While(of) => {
                    of.condition.begin_early(program, &[]);
                    of.body.begin_early(program, &[]);
                }
                Action::Case { branches, .. } => {
                    branches.iter_mut().for_each(|branch| branch.body.begin_early(program, &[]));
                }
                Action::Manual { body, .. } => body.begin_early(program, &entered),
            }
        }
        for (at, begin) in plan {
            match at.checked_sub(1) {
                None => self.begins.push(begin),
                Some(before) => self.steps[before].begins.push(begin),
            }
        }
    }
}

/// The arguments of a manual computation that exist without an exchange: the array outside exists and already has the sharding of
/// the border.
fn entered(action: &Action<'_>, is_ready: impl Fn(usize) -> bool, program: &Program) -> Vec<usize> {
    let Action::Manual { inputs, body, .. } = action else { return Vec::new() };
    let entered = inputs.iter().zip(&body.arguments).filter(|(border, _)| {
        is_ready(border.value) && program.values()[border.value].sharding == border.sharding
    });
    entered.map(|(_, argument)| *argument).collect()
}

/// The collectives of an operation that can begin before it, each with the values that it reads.
fn begins<'o>(operation: &'o Operation<'_>, step: usize) -> Vec<(Begin, &'o [usize])> {
    let operands = operation.instruction.operands();
    let moved: Vec<_> = (0..operands.len())
        .filter(|&at| operation.operands[at].is_moved)
        .map(|at| (Begin { step, operand: Some(at) }, &operands[at..=at]))
        .collect();
    if operation.exchanges && moved.is_empty() && !operands.is_empty() {
        return vec![(Begin { step, operand: None }, operands)];
    }
    moved
}
