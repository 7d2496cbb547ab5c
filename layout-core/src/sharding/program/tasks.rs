//! What devices execute, in order.

use super::body::ScalarBody;
use super::nodes::{self, Node, Region, RegionKind};
use super::{Call, Program};
use crate::sharding::axis::AxisRef;
use crate::sharding::tensor::TensorSharding;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// What devices execute, one after another. Values have their numbers among [`Program::values`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Task {
    /// An operation; [`Program::instruction`] has it under this number.
    Operation(usize),
    /// A value becomes another one, in the sharding of that one: an operand becomes the argument of a function, or a
    /// constraint shards it anew.
    Assign {
        /// The value that is there.
        from: usize,
        /// The value that it becomes.
        to: usize,
    },
    /// A loop. The values enter the condition and the body; what the body returns enters both again.
    While {
        /// The values at the start.
        inputs: Vec<usize>,
        /// Returns whether the body runs again.
        condition: Body,
        /// Returns the next values.
        body: Body,
        /// The values at the end.
        results: Vec<usize>,
    },
    /// A choice between bodies without arguments, by a number, or by a truth value whose first body is for `true`.
    Case {
        /// The number or truth value.
        index: usize,
        /// The bodies.
        branches: Vec<Body>,
        /// What the chosen body returns.
        results: Vec<usize>,
    },
    /// A manual computation: its body works on what each device has along its axes, and exchanges it by collectives that
    /// the program writes.
    Manual {
        /// The axes along which the body sees the array of a device alone.
        axes: Vec<AxisRef>,
        /// The values that enter the body. In these shardings, the shards are those of its arguments.
        inputs: Vec<(usize, TensorSharding)>,
        /// The body. Its values have the sizes of the parts along the axes.
        body: Body,
        /// The values that leave it. In these shardings, the shards are those of what the body returns.
        results: Vec<(usize, TensorSharding)>,
    },
}

impl Task {
    /// Calls `with` for the number of each operation, those in bodies included.
    pub(super) fn each(&self, with: &mut dyn FnMut(usize)) {
        let bodies = match self {
            Self::Operation(number) => return with(*number),
            Self::Assign { .. } => return,
            Self::While { condition, body, .. } => &[condition, body][..],
            Self::Case { branches, .. } => &branches.iter().collect::<Vec<_>>(),
            Self::Manual { body, .. } => &[body],
        };
        bodies.iter().flat_map(|body| &body.tasks).for_each(|task| task.each(with));
    }
}

/// The sharding of a value outside of a manual computation whose shards are those of the value inside: in each
/// dimension, first the manual axes that the border says, then those of the value inside.
///
/// With the manual axis `"data"`, the border `[{"data", ?}, {}]` and the sharding `[{"model"}, {}]` inside, it is
/// `[{"data", "model"}, {}]`.
pub(super) fn border(
    border: &TensorSharding,
    axes: &[AxisRef],
    inner: &TensorSharding,
) -> TensorSharding {
    let mut outer = inner.clone();
    outer.mesh.clone_from(&border.mesh);
    for (own, border) in outer.dims.to_mut().iter_mut().zip(border.dims.iter()) {
        let manual = border.axes.iter().filter(|axis| axes.iter().any(|own| own.name == axis.name));
        own.axes = manual.chain(own.axes.iter()).cloned().collect();
    }
    outer
}

/// Tasks that run several times or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The values that enter it.
    pub arguments: Vec<usize>,
    /// What it executes.
    pub tasks: Vec<Task>,
    /// The values that it returns.
    pub returned: Vec<usize>,
}

/// An operation that devices cannot execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRunnable {
    /// The operation.
    pub operation: String,
    /// Its line, from 1, if the program was read from MLIR.
    pub line: Option<usize>,
    /// Why.
    pub message: String,
}

/// The elements of a constant, as MLIR writes them.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    /// `dense<1.0> : tensor<f32>`
    Own(Box<str>),
    /// A long text, within the printed text of the program.
    Within(Range<usize>),
}

/// What a program that was imported executes.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    pub(super) tasks: Vec<Task>,
    /// Operations without a sharding rule. They are numbered after those with one.
    pub(super) unruled: Vec<Call>,
    /// The elements of constants, by the number of the operation.
    pub(super) constants: BTreeMap<usize, Constant>,
    /// The bodies of operations that work on scalars, by the number of the operation.
    pub(super) bodies: BTreeMap<usize, Vec<ScalarBody>>,
    /// The first operation that cannot be executed.
    pub(super) refused: Option<NotRunnable>,
}

impl Program {
    /// What devices execute to run the program.
    ///
    /// # Errors
    /// For the first operation of which the program does not know how it runs: it has a body whose meaning is not
    /// known, or takes values that are not tensors of known size.
    pub fn tasks(&self) -> Result<Vec<Task>, NotRunnable> {
        if self.imported.is_some() {
            return match &self.execution.refused {
                Some(refused) => Err(refused.clone()),
                None => Ok(self.execution.tasks.clone()),
            };
        }
        if let Some(value) = self.values.iter().find(|value| value.unbounded != 0) {
            let message = alloc::format!("the size of `{}` is not known", value.name);
            return Err(NotRunnable { operation: self.name.clone(), line: None, message });
        }
        self.tasks_of(&self.nodes)
    }

    fn tasks_of(&self, nodes: &[Node]) -> Result<Vec<Task>, NotRunnable> {
        let mut tasks = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::Call(call) => tasks.push(Task::Operation(*call)),
                Node::Group { .. } => {}
                Node::Region(region) => self.region_tasks(region, &mut tasks)?,
            }
        }
        Ok(tasks)
    }

    /// The operands number `at` of edges: constraints may have taken the place of the values that the text names.
    fn flowing(&self, edges: &[usize], at: usize) -> Vec<usize> {
        edges.iter().map(|edge| self.calls[*edge].operands[at]).collect()
    }

    fn region_tasks(&self, region: &Region, tasks: &mut Vec<Task>) -> Result<(), NotRunnable> {
        let refused = |operation: &str, message: &str| {
            let (operation, message) = (operation.into(), message.into());
            Err(NotRunnable { operation, line: None, message })
        };
        let body = |body: &nodes::Body, arguments: &[usize], returned| {
            let tasks = self.tasks_of(&body.nodes)?;
            Ok(Body { arguments: arguments.to_vec(), tasks, returned })
        };
        let assign = |from: Vec<usize>, to: &[usize], tasks: &mut Vec<Task>| {
            tasks.extend(from.into_iter().zip(to).map(|(from, &to)| Task::Assign { from, to }));
        };
        let results = region.results.clone();
        match (&region.kind, &region.bodies[..]) {
            (RegionKind::While { condition: Some(arguments) }, [condition, inner]) => {
                let condition = body(condition, arguments, condition.returned.clone())?;
                let body = body(inner, &region.arguments, self.flowing(&region.edges, 1))?;
                let inputs = self.flowing(&region.edges, 0);
                tasks.push(Task::While { inputs, condition, body, results });
            }
            (RegionKind::While { .. }, _) => {
                let message = "it has no condition; write `while (i = x) cond { .. } do { .. }`";
                return refused("while", message);
            }
            (RegionKind::Case { index: Some(index) }, bodies) => {
                let bodies = bodies.iter().enumerate();
                let branches =
                    bodies.map(|(at, inner)| body(inner, &[], self.flowing(&region.edges, at)));
                let branches = branches.collect::<Result<_, _>>()?;
                tasks.push(Task::Case { index: *index, branches, results });
            }
            (RegionKind::Case { index: None }, _) => {
                let message = "nothing says which body runs; write `case (i) { .. } { .. }`";
                return refused("case", message);
            }
            (RegionKind::OptimizationBarrier, _) => {
                assign(self.flowing(&region.edges, 0), &results, tasks);
            }
            (RegionKind::Custom(custom), [inner]) if custom.is_function => {
                let source = |(&own, edge): (&usize, &Option<(usize, usize)>)| match edge {
                    Some((call, at)) => self.calls[*call].operands[*at],
                    None => own,
                };
                let inputs = region.inputs.iter().zip(&custom.operands).map(source);
                assign(inputs.collect(), &region.arguments, tasks);
                tasks.extend(self.tasks_of(&inner.nodes)?);
                let returned = inner.returned.iter().zip(&custom.returned).map(source);
                assign(returned.collect(), &results, tasks);
            }
            (RegionKind::Custom(custom), _) => {
                return refused(&custom.name, "its name does not say what it does with its body");
            }
            (RegionKind::Manual { axes, operands, results: borders }, bodies) => {
                let own = |value: usize| &self.values[value].sharding;
                let returned = self.flowing(&region.edges, 0);
                let inputs = self.flowing(&region.entries, 0).into_iter();
                let inputs = inputs.zip(operands).zip(&region.arguments);
                let inputs = inputs
                    .map(|((value, to), inner)| (value, border(to, axes, own(*inner))))
                    .collect();
                let results = results.into_iter().zip(borders).zip(&returned);
                let results = results
                    .map(|((value, from), inner)| (value, border(from, axes, own(*inner))))
                    .collect();
                let body = body(&bodies[0], &region.arguments, returned)?;
                tasks.push(Task::Manual { axes: axes.clone(), inputs, body, results });
            }
        }
        Ok(())
    }

    /// The numbers of the values that the program returns.
    pub fn returned(&self) -> impl Iterator<Item = usize> {
        self.returns.iter().map(|(at, _, _)| *at)
    }
}
