//! Arrays that repeat one element, and are only read by operations on each element: these read the one element, and the array is
//! never written.

use super::kernels::LocalKernel;
use super::operation::Operation;
use super::routine::{Action, Routine};
use alloc::collections::BTreeSet;

impl Routine<'_> {
    /// Marks the results that need only one element.
    pub(super) fn mark_splats(&mut self) {
        let mut splats = BTreeSet::new();
        self.each_operation(&mut |operation| {
            if operation.repeats_one_element() {
                splats.extend(operation.instruction.results());
            }
        });
        self.drop_read(&mut splats);
        self.each_operation(&mut |operation| {
            for (number, made) in operation.instruction.results().iter().zip(&mut operation.results)
            {
                made.is_splat = splats.contains(number);
            }
        });
    }

    /// Removes the values of which something needs all elements.
    fn drop_read(&self, splats: &mut BTreeSet<usize>) {
        self.returned.iter().for_each(|value| {
            splats.remove(value);
        });
        for step in &self.steps {
            match &step.action {
                Action::Operation(operation) => {
                    let repeats = matches!(operation.kernel, LocalKernel::Repeats(_));
                    let repeats = repeats && !operation.is_replicated;
                    for operand in &operation.operands {
                        if !repeats || operand.is_moved {
                            splats.remove(&operand.number);
                        }
                    }
                }
                Action::Assign(assignment) => {
                    splats.remove(&assignment.from);
                }
                Action::While(of) => {
                    of.inputs.iter().for_each(|input| {
                        splats.remove(&input.from);
                    });
                    of.condition.drop_read(splats);
                    of.body.drop_read(splats);
                }
                Action::Manual { inputs, body, .. } => {
                    inputs.iter().for_each(|border| {
                        splats.remove(&border.value);
                    });
                    body.drop_read(splats);
                }
                Action::Case { index, branches, .. } => {
                    splats.remove(index);
                    branches.iter().for_each(|branch| branch.body.drop_read(splats));
                }
            }
        }
    }

    fn each_operation(&mut self, with: &mut impl FnMut(&mut Operation<'_>)) {
        for step in &mut self.steps {
            match &mut step.action {
                Action::Operation(operation) => with(operation),
                Action::Assign(_) => {}
                Action::While(of) => {
                    of.condition.each_operation(with);
                    of.body.each_operation(with);
                }
                Action::Manual { body, .. } => body.each_operation(with),
                Action::Case { branches, .. } => {
                    branches.iter_mut().for_each(|branch| branch.body.each_operation(with));
                }
            }
        }
    }
}
