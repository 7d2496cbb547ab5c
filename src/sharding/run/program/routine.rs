//! The steps that a runner executes, which are checked before anything runs.

use super::execute::replicated;
use super::failed;
use super::kernels::{self, LocalKernel};
use super::literal::Constant;
use super::reduction::Reduction;
use super::scalar::Body as ScalarBody;
use crate::sharding::run::RunError;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use layout_core::sharding::program::{Body, Instruction, NamedValue, Program, Task};
use layout_core::sharding::{AxisRef, Padding, Shards, TensorSharding};

/// Steps that run one after another.
#[derive(Debug)]
pub(super) struct Routine<'a> {
    pub(super) arguments: Vec<usize>,
    /// The collectives that begin before the first step.
    pub(super) begins: Vec<Begin>,
    pub(super) steps: Vec<ScheduledTask<'a>>,
    pub(super) returned: Vec<usize>,
    /// The axes of the manual computations that contain it.
    pub(super) manual: Vec<AxisRef>,
}

/// A task of the program, with the collectives that begin once it has run.
#[derive(Debug)]
pub(super) struct ScheduledTask<'a> {
    pub(super) action: Action<'a>,
    /// The collectives of later steps that begin after it.
    pub(super) begins: Vec<Begin>,
    /// The values that no later step reads.
    pub(super) last_taken: Vec<usize>,
}

/// A part of a step that can begin before it: resharding an operand to the sharding in which the step reads it or, without an
/// operand, a collective that is an operation of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Begin {
    pub(super) step: usize,
    pub(super) operand: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Action<'a> {
    Operation(Box<Operation<'a>>),
    Assign { from: usize, to: usize },
    While { inputs: Vec<usize>, condition: Routine<'a>, body: Routine<'a>, results: Vec<usize> },
    Case { index: usize, branches: Vec<Routine<'a>>, results: Vec<usize> },
    Manual { inputs: Vec<Border>, body: Routine<'a>, results: Vec<Border> },
}

/// A value outside of a manual computation, and the sharding whose shards are the shards of a value inside.
type Border = (usize, TensorSharding);

/// An operation with its kernel.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub(super) instruction: Instruction<'a>,
    pub(super) kernel: LocalKernel,
    /// The elements of a constant, which needs no kernel.
    pub(super) constant: Option<Constant>,
    /// Its bodies, which work on scalars.
    pub(super) bodies: Vec<ScalarBody>,
    /// How devices combine their results.
    pub(super) reduction: Reduction,
    /// Whether the operation is an exchange between devices.
    pub(super) exchanges: bool,
    /// Whether each device runs it on whole operands, because it is not the same operation on local arrays.
    pub(super) is_replicated: bool,
}

impl<'a> Operation<'a> {
    fn of(
        instruction: Instruction<'a>,
        program: &Program,
        manual: &[AxisRef],
    ) -> Result<Self, RunError> {
        let fails = |message: String| Err(failed(&instruction, message));
        if let Some(message) = instruction.refused() {
            return fails(message);
        }
        // Within a manual computation, devices that differ along its axes have parts of different arrays.
        let arrives = |(at, value): (usize, &usize)| {
            let [from, to] = [&program.values()[*value].sharding, instruction.sharding(at)];
            is_across(program, from, to)
        };
        if !manual.is_empty() && instruction.operands().iter().enumerate().any(arrives) {
            return fails("an operand comes from another mesh within a manual computation".into());
        }
        let tensors = instruction.operands().iter().chain(instruction.results());
        let types = tensors.map(|at| program.values()[*at].dtype);
        let kernel = kernels::find(instruction.name(), types);
        // The elements of a constant are read below, and any other operation without a local kernel exchanges data.
        let is_constant = instruction.name() == "constant";
        let exchanges = kernel.is_none() && !is_constant;
        let kernel = kernel.unwrap_or(|_| Ok(Vec::new()));
        let reducer = instruction.attributes().word("reducer", "add");
        let reduction = Reduction::of(reducer).unwrap_or(Reduction::Sum);
        let is_replicated = instruction.not_local().is_some();
        // A body that is one operation of two values is represented by the name of that operation.
        let has_name = !instruction.attributes().word("reducer", "").is_empty();
        let bodies = instruction.bodies().iter().filter(|_| !has_name);
        let bodies = match bodies.map(ScalarBody::of).collect() {
            Ok(bodies) => bodies,
            Err(message) => return fails(message),
        };
        let mut constant = None;
        if is_constant {
            let value = &program.values()[instruction.results()[0]];
            constant = match Constant::of(&instruction, value) {
                Ok(constant) => Some(constant),
                Err(message) => return fails(message),
            };
        }
        Ok(Self { instruction, kernel, constant, bodies, reduction, exchanges, is_replicated })
    }

    /// The sharding in which it reads operand `at`, which is this value.
    pub(super) fn sharding(&self, at: usize, value: &'a NamedValue) -> Cow<'a, TensorSharding> {
        match self.is_replicated {
            true => Cow::Owned(replicated(&value.sharding)),
            false => Cow::Borrowed(self.instruction.sharding(at)),
        }
    }

    /// The axes over which operand `at` is summed before it runs.
    pub(super) fn summed_before(&self, at: usize) -> &'a [AxisRef] {
        if self.is_replicated { &[] } else { self.instruction.summed_before(at) }
    }

    /// Whether devices exchange operand `at`, which is this value, before it runs.
    pub(super) fn moves(&self, at: usize, value: &'a NamedValue) -> bool {
        *self.sharding(at, value) != value.sharding || !self.summed_before(at).is_empty()
    }

    /// Whether devices have its results once they have run it, without any exchange.
    pub(super) fn is_done_at_once(&self) -> bool {
        !self.exchanges && (self.is_replicated || self.instruction.summed_after().is_empty())
    }
}

/// Whether resharding a value sends parts of it from one mesh to another.
pub(super) fn is_across(program: &Program, from: &TensorSharding, to: &TensorSharding) -> bool {
    let stays = [from, to].iter().all(|sharding| program.is_on_every_device(sharding));
    program.mesh_of(from) != program.mesh_of(to) && !stays
}

impl<'a> Routine<'a> {
    /// The steps of a program.
    pub(super) fn of(program: &'a Program) -> Result<Self, RunError> {
        let tasks = program.tasks().map_err(|refused| RunError::Operation {
            name: refused.operation,
            line: refused.line,
            message: refused.message,
        })?;
        let arguments: Vec<_> = (0..program.parameters().len()).collect();
        let body =
            Body { arguments: arguments.clone(), tasks, returned: program.returned().collect() };
        let mut routine = Self::of_body(body, program, &[])?;
        let values = program.values().iter().map(|value| (value, &value.sharding));
        for (value, sharding) in values.chain(program.results()) {
            if let Some(message) = program.refused_mesh(sharding) {
                return Err(RunError::Operation { name: value.name.clone(), line: None, message });
            }
        }
        routine.begin_early(program, &arguments);
        Ok(routine)
    }

    fn of_body(body: Body, program: &'a Program, manual: &[AxisRef]) -> Result<Self, RunError> {
        let Body { arguments, tasks, returned } = body;
        let mut last: BTreeMap<usize, usize> = arguments.iter().map(|value| (*value, 0)).collect();
        let mut steps = Vec::with_capacity(tasks.len());
        for (at, task) in tasks.into_iter().enumerate() {
            let action = Action::of(task, program, manual)?;
            action.makes(|value| {
                last.insert(value, at);
            });
            // Values from outside of a body can be read when it runs again.
            action.takes(&mut |value| {
                last.entry(value).and_modify(|last| *last = at);
            });
            steps.push(ScheduledTask { action, begins: Vec::new(), last_taken: Vec::new() });
        }
        // Returned values are kept to the end.
        last.retain(|value, _| !returned.contains(value));
        for (value, at) in last {
            if let Some(step) = steps.get_mut(at) {
                step.last_taken.push(value);
            }
        }
        let manual = manual.to_vec();
        Ok(Self { arguments, begins: Vec::new(), steps, returned, manual })
    }

    fn takes(&self, with: &mut impl FnMut(usize)) {
        self.steps.iter().for_each(|step| step.action.takes(with));
        self.returned.iter().for_each(|value| with(*value));
    }
}

impl<'a> Action<'a> {
    fn of(task: Task, program: &'a Program, manual: &[AxisRef]) -> Result<Self, RunError> {
        let routine = |body| Routine::of_body(body, program, manual);
        Ok(match task {
            Task::Operation(number) => {
                let instruction = program.instruction(number);
                Self::Operation(Box::new(Operation::of(instruction, program, manual)?))
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
            Task::Manual { axes, inputs, body, results } => {
                // If the parts had different sizes, their positions in the whole array would differ from those inside.
                for (value, border) in inputs.iter().chain(&results) {
                    let value = &program.values()[*value];
                    let mesh = program.mesh_of(border);
                    if let Err(error) = Shards::new(border, mesh, &value.dims, Padding::Forbidden) {
                        return Err(RunError::Operation {
                            name: "manual_computation".into(),
                            line: None,
                            message: format!(
                                "the parts of `{}` are not of one size: {error}",
                                value.name
                            ),
                        });
                    }
                }
                let within = [manual, &axes].concat();
                let body = Routine::of_body(body, program, &within)?;
                Self::Manual { inputs, body, results }
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

    pub(super) fn makes(&self, with: impl FnMut(usize)) {
        match self {
            Self::Operation(operation) => {
                operation.instruction.results().iter().copied().for_each(with);
            }
            Self::Assign { to, .. } => [*to].into_iter().for_each(with),
            Self::While { results, .. } | Self::Case { results, .. } => {
                results.iter().copied().for_each(with);
            }
            Self::Manual { results, .. } => results.iter().map(|(value, _)| *value).for_each(with),
        }
    }

    pub(super) fn takes(&self, with: &mut impl FnMut(usize)) {
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
            Self::Manual { inputs, body, .. } => {
                inputs.iter().for_each(|(value, _)| with(*value));
                body.takes(with);
            }
            Self::Case { index, branches, .. } => {
                with(*index);
                branches.iter().for_each(|branch| branch.takes(with));
            }
        }
    }
}
