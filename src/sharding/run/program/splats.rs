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
                Action::Assign { from, .. } => {
                    splats.remove(from);
                }
                Action::While { inputs, condition, body, .. } => {
                    inputs.iter().for_each(|value| {
                        splats.remove(value);
                    });
                    condition.drop_read(splats);
                    body.drop_read(splats);
                }
                Action::Manual { inputs, body, .. } => {
                    inputs.iter().for_each(|(value, _)| {
                        splats.remove(value);
                    });
                    body.drop_read(splats);
                }
                Action::Case { index, branches, .. } => {
                    splats.remove(index);
                    branches.iter().for_each(|branch| branch.drop_read(splats));
                }
            }
        }
    }

    fn each_operation(&mut self, with: &mut impl FnMut(&mut Operation<'_>)) {
        for step in &mut self.steps {
            match &mut step.action {
                Action::Operation(operation) => with(operation),
                Action::Assign { .. } => {}
                Action::While { condition, body, .. } => {
                    condition.each_operation(with);
                    body.each_operation(with);
                }
                Action::Manual { body, .. } => body.each_operation(with),
                Action::Case { branches, .. } => {
                    branches.iter_mut().for_each(|branch| branch.each_operation(with));
                }
            }
        }
    }
}
