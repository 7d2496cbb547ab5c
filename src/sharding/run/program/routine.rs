//! The steps that a runner executes, which are checked before anything runs.

use super::operation::Operation;
use super::route::{Assignment, Route};
use crate::sharding::run::RunError;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use layout_core::sharding::program::{Body, Program, Task};
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
    Assign(Box<Assignment>),
    While(Box<Loop<'a>>),
    Case { index: usize, branches: Vec<Branch<'a>>, results: Vec<usize> },
    Manual { inputs: Vec<Border>, body: Routine<'a>, results: Vec<Border> },
}

#[derive(Debug)]
pub(super) struct Loop<'a> {
    /// The inputs become the results before the first iteration.
    pub(super) inputs: Vec<Assignment>,
    /// The results become the arguments of the condition, and then of the body.
    pub(super) tested: Vec<Assignment>,
    pub(super) condition: Routine<'a>,
    pub(super) entered: Vec<Assignment>,
    pub(super) body: Routine<'a>,
    /// What the body returns becomes the results.
    pub(super) returned: Vec<Assignment>,
    /// The values of the body that it returns.
    pub(super) own: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Branch<'a> {
    pub(super) body: Routine<'a>,
    /// What it returns becomes the results.
    pub(super) returned: Vec<Assignment>,
}

/// A value outside of a manual computation, and the sharding whose shards are the shards of a value inside.
#[derive(Debug)]
pub(super) struct Border {
    pub(super) value: usize,
    pub(super) sharding: TensorSharding,
    pub(super) route: Route,
}

impl Border {
    fn of((value, sharding): (usize, TensorSharding)) -> Self {
        Self { value, sharding, route: Route::default() }
    }
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
        routine.mark_lasting(program, arguments.into_iter().collect());
        routine.mark_splats();
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
        steps.iter_mut().for_each(ScheduledTask::mark_last);
        let manual = manual.to_vec();
        Ok(Self { arguments, begins: Vec::new(), steps, returned, manual })
    }

    pub(super) fn takes(&self, with: &mut impl FnMut(usize)) {
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
            Task::Assign { from, to } => {
                Self::Assign(Box::new(Assignment { from, to, route: Route::default() }))
            }
            Task::While { inputs, condition, body, results } => {
                let (condition, body) = (routine(condition)?, routine(body)?);
                let made = body.made();
                let own = body.returned.iter().filter(|value| made.contains(value));
                let own = own.copied().collect();
                Self::While(Box::new(Loop {
                    inputs: Assignment::all(&inputs, &results),
                    tested: Assignment::all(&results, &condition.arguments),
                    entered: Assignment::all(&results, &body.arguments),
                    returned: Assignment::all(&body.returned, &results),
                    condition,
                    body,
                    own,
                }))
            }
            Task::Case { index, branches, results } => {
                let branch = |body| {
                    let body = routine(body)?;
                    let returned = Assignment::all(&body.returned, &results);
                    Ok::<_, RunError>(Branch { body, returned })
                };
                let branches = branches.into_iter().map(branch).collect::<Result<_, _>>()?;
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
                let [inputs, results] =
                    [inputs, results].map(|all| all.into_iter().map(Border::of).collect());
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
            Self::Assign(assignment) => [assignment.to].into_iter().for_each(with),
            Self::While(of) => of.inputs.iter().map(|input| input.to).for_each(with),
            Self::Case { results, .. } => results.iter().copied().for_each(with),
            Self::Manual { results, .. } => {
                results.iter().map(|border| border.value).for_each(with)
            }
        }
    }

    pub(super) fn takes(&self, with: &mut impl FnMut(usize)) {
        match self {
            Self::Operation(operation) => {
                operation.instruction.operands().iter().for_each(|value| with(*value));
            }
            Self::Assign(assignment) => with(assignment.from),
            Self::While(of) => {
                of.inputs.iter().for_each(|input| with(input.from));
                of.condition.takes(with);
                of.body.takes(with);
            }
            Self::Manual { inputs, body, .. } => {
                inputs.iter().for_each(|border| with(border.value));
                body.takes(with);
            }
            Self::Case { index, branches, .. } => {
                with(*index);
                branches.iter().for_each(|branch| branch.body.takes(with));
            }
        }
    }
}
