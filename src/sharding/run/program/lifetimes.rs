//! Finds the arrays that are not read again, so that a result may be written over them, and the arrays that are read in every run
//! or iteration, so that the form into which a product packs them is worth keeping.

use super::routine::{Action, Loop, Routine, ScheduledTask};
use alloc::collections::BTreeSet;
use alloc::vec;
use layout_core::sharding::program::Program;

/// Operations whose result has the bytes of their operand.
const SAME_BYTES: [&str; 4] = ["constrain", "propagation_barrier", "reshape", "reshard"];

impl ScheduledTask<'_> {
    /// Marks the operands that nothing reads after the operation. An operand that occurs twice is not marked.
    pub(super) fn mark_last(&mut self) {
        let Action::Operation(operation) = &mut self.action else { return };
        let all = operation.instruction.operands();
        for operand in &mut operation.operands {
            let once = all.iter().filter(|number| **number == operand.number).count() == 1;
            operand.is_last = once && self.last_taken.contains(&operand.number);
        }
    }
}

impl Routine<'_> {
    /// Marks the operands whose arrays are read again in a later run or iteration. `lasting` contains the values
    /// that have the same arrays when the routine runs again: for the whole program, its parameters.
    pub(super) fn mark_lasting(&mut self, program: &Program, mut lasting: BTreeSet<usize>) {
        let sharding = |value: usize| &program.values()[value].sharding;
        for step in &mut self.steps {
            let mut made = BTreeSet::new();
            let mut pass = |from: usize, to: usize, is_lasting: bool| {
                if is_lasting && sharding(from) == sharding(to) {
                    made.insert(to);
                }
            };
            match &mut step.action {
                Action::Operation(operation) => {
                    for operand in &mut operation.operands {
                        operand.is_lasting = !operand.is_moved && lasting.contains(&operand.number);
                    }
                    let lasts = match operation.instruction.name() {
                        "constant" => true,
                        name => SAME_BYTES.contains(&name) && operation.operands[0].is_lasting,
                    };
                    if lasts && !operation.is_replicated {
                        made.extend(operation.instruction.results());
                    }
                }
                Action::Assign(assignment) => {
                    pass(assignment.from, assignment.to, lasting.contains(&assignment.from));
                }
                Action::While(of) => {
                    let Loop { inputs, condition, body, .. } = &mut **of;
                    let mut within = lasting.clone();
                    // A body that returns an argument reads the same array in each iteration.
                    let carried = body.arguments.iter().zip(&body.returned).zip(inputs);
                    for ((argument, returned), input) in carried {
                        if argument == returned {
                            within.insert(*argument);
                            pass(input.from, input.to, lasting.contains(&input.from));
                        }
                    }
                    // It also reads arrays from outside of the loop in each iteration.
                    let own = body.made();
                    body.takes(&mut |value| {
                        if !own.contains(&value) {
                            within.insert(value);
                        }
                    });
                    condition.mark_lasting(program, lasting.clone());
                    body.mark_lasting(program, within);
                }
                Action::Case { branches, .. } => {
                    let branches = branches.iter_mut();
                    branches.for_each(|branch| branch.body.mark_lasting(program, lasting.clone()));
                }
                Action::Manual { inputs, body, .. } => {
                    let mut within = lasting.clone();
                    for (border, argument) in inputs.iter().zip(&body.arguments) {
                        let stays = border.sharding == *sharding(border.value);
                        if stays && lasting.contains(&border.value) {
                            within.insert(*argument);
                        }
                    }
                    body.mark_lasting(program, within);
                }
            }
            // A function that runs again with other arguments makes the same values again.
            step.action.makes(|value| {
                lasting.remove(&value);
            });
            lasting.extend(made);
        }
    }

    /// The arguments of a body and the values that it makes.
    pub(super) fn made(&self) -> BTreeSet<usize> {
        let mut made: BTreeSet<usize> = self.arguments.iter().copied().collect();
        for step in &self.steps {
            step.action.makes(|value| {
                made.insert(value);
            });
            let bodies = match &step.action {
                Action::Operation(_) | Action::Assign(_) => vec![],
                Action::While(of) => vec![&of.condition, &of.body],
                Action::Case { branches, .. } => {
                    branches.iter().map(|branch| &branch.body).collect()
                }
                Action::Manual { body, .. } => vec![body],
            };
            bodies.into_iter().for_each(|body| made.extend(body.made()));
        }
        made
    }
}
