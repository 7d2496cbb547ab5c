//! What a runner executes: checked before anything runs.

use super::kernels::{self, Kernel};
use super::literal::Constant;
use super::reduction::Reduction;
use super::{failed, numbers};
use crate::sharding::run::RunError;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use layout_core::sharding::Mesh;
use layout_core::sharding::program::{Body, Instruction, Program, Task};

/// Steps that run one after another.
#[derive(Debug)]
pub(super) struct Routine<'a> {
    pub(super) arguments: Vec<usize>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) returned: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) action: Action<'a>,
    /// The values that no later step takes.
    pub(super) last_taken: Vec<usize>,
}

#[derive(Debug)]
pub(super) enum Action<'a> {
    Operation(Box<Operation<'a>>),
    Assign { from: usize, to: usize },
    While { inputs: Vec<usize>, condition: Routine<'a>, body: Routine<'a>, results: Vec<usize> },
    Case { index: usize, branches: Vec<Routine<'a>>, results: Vec<usize> },
}

/// An operation with its kernel.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub(super) instruction: Instruction<'a>,
    pub(super) kernel: Kernel,
    /// The elements of a constant, which needs no kernel.
    pub(super) constant: Option<Constant>,
    /// How devices combine their results.
    pub(super) reduction: Reduction,
    /// Whether devices collect whole operands: it is not the same operation on local arrays.
    pub(super) is_whole: bool,
}

impl<'a> Operation<'a> {
    fn of(instruction: Instruction<'a>, program: &Program, mesh: &Mesh) -> Result<Self, RunError> {
        let fails = |message: String| Err(failed(&instruction, message));
        let tensors = instruction.operands().iter().chain(instruction.results());
        let values = tensors.map(|&value| &program.values()[value]);
        let is_imported = instruction.is_imported();
        let found = |name| kernels::find(name, is_imported);
        let found = |name| found(name).filter(|_| !instruction.has_own_rule());
        let kernel: Kernel = match (instruction.name(), is_imported) {
            ("constant", false) => {
                return fails("a program does not say its elements: pass it as an argument".into());
            }
            // Its elements are read below.
            ("constant", true) => |_| Ok(Vec::new()),
            (name, _) => match found(name) {
                Some(kernel) => kernel,
                None => {
                    let names = kernels::names(is_imported).join(", ");
                    return fails(format!("it has no kernel; these operations have one: {names}"));
                }
            },
        };
        if let Some(value) = values.clone().find(|value| !numbers::is_known(value.dtype)) {
            return fails(format!("there is no kernel for elements of type `{}`", value.dtype));
        }
        let own = values.map(|value| &value.sharding);
        let taken = (0..instruction.operands().len()).map(|at| instruction.sharding(at));
        if own.chain(taken).any(|sharding| program.mesh_of(sharding) != mesh) {
            return fails("its tensors are on several meshes".into());
        }
        let reducer = instruction.attributes().word("reducer", "add");
        let Some(reduction) = Reduction::of(reducer) else {
            return fails("its body is not one operation of two values that has a kernel".into());
        };
        let not_local = instruction.not_local();
        let is_whole = not_local.is_some();
        if let Some(message) = not_local.filter(|_| !instruction.is_imported()) {
            return fails(message);
        }
        let mut constant = None;
        if instruction.name() == "constant" {
            let value = &program.values()[instruction.results()[0]];
            constant = match Constant::of(&instruction, value) {
                Ok(constant) => Some(constant),
                Err(message) => return fails(message),
            };
        }
        Ok(Self { instruction, kernel, constant, reduction, is_whole })
    }
}

impl<'a> Routine<'a> {
    /// What a program executes.
    pub(super) fn of(program: &'a Program, mesh: &Mesh) -> Result<Self, RunError> {
        let tasks = program.tasks().map_err(|refused| RunError::Operation {
            name: refused.operation,
            line: refused.line,
            message: refused.message,
        })?;
        let arguments = (0..program.parameters().len()).collect();
        Self::of_body(
            Body { arguments, tasks, returned: program.returned().collect() },
            program,
            mesh,
        )
    }

    fn of_body(body: Body, program: &'a Program, mesh: &Mesh) -> Result<Self, RunError> {
        let Body { arguments, tasks, returned } = body;
        let mut last: BTreeMap<usize, usize> = arguments.iter().map(|value| (*value, 0)).collect();
        let mut steps = Vec::with_capacity(tasks.len());
        for (at, task) in tasks.into_iter().enumerate() {
            let action = Action::of(task, program, mesh)?;
            action.makes(|value| {
                last.insert(value, at);
            });
            // What is made outside of a body may be taken when it runs again.
            action.takes(&mut |value| {
                last.entry(value).and_modify(|last| *last = at);
            });
            steps.push(Step { action, last_taken: Vec::new() });
        }
        // What is returned stays to the end.
        last.retain(|value, _| !returned.contains(value));
        for (value, at) in last {
            if let Some(step) = steps.get_mut(at) {
                step.last_taken.push(value);
            }
        }
        Ok(Self { arguments, steps, returned })
    }

    fn takes(&self, with: &mut impl FnMut(usize)) {
        self.steps.iter().for_each(|step| step.action.takes(with));
        self.returned.iter().for_each(|value| with(*value));
    }
}

impl<'a> Action<'a> {
    fn of(task: Task, program: &'a Program, mesh: &Mesh) -> Result<Self, RunError> {
        let routine = |body| Routine::of_body(body, program, mesh);
        Ok(match task {
            Task::Operation(number) => {
                let instruction = program.instruction(number);
                Self::Operation(Box::new(Operation::of(instruction, program, mesh)?))
            }
            Task::Assign { from, to } => Self::Assign { from, to },
            Task::While { inputs, condition, body, results } => {
                let (condition, body) = (routine(condition)?, routine(body)?);
                Self::While { inputs, condition, body, results }
            }
            Task::Case { index, branches, results } => {
                let branches = branches.into_iter().map(routine).collect::<Result<_, _>>()?;
                Self::Case { index, branches, results }
            }
            task => {
                let message = format!("{task:?} does not run yet");
                return Err(RunError::Operation {
                    name: program.name().into(),
                    line: None,
                    message,
                });
            }
        })
    }

    fn makes(&self, with: impl FnMut(usize)) {
        match self {
            Self::Operation(operation) => {
                operation.instruction.results().iter().copied().for_each(with);
            }
            Self::Assign { to, .. } => [*to].into_iter().for_each(with),
            Self::While { results, .. } | Self::Case { results, .. } => {
                results.iter().copied().for_each(with);
            }
        }
    }

    fn takes(&self, with: &mut impl FnMut(usize)) {
        match self {
            Self::Operation(operation) => {
                operation.instruction.operands().iter().for_each(|value| with(*value));
            }
            Self::Assign { from, .. } => with(*from),
            Self::While { inputs, condition, body, .. } => {
                inputs.iter().for_each(|value| with(*value));
                condition.takes(with);
                body.takes(with);
            }
            Self::Case { index, branches, .. } => {
                with(*index);
                branches.iter().for_each(|branch| branch.takes(with));
            }
        }
    }
}
