//! The tasks that devices execute, in order.

use super::body::ScalarBody;
use super::nodes::{self, Node, Region, RegionKind};
use super::{Call, Program};
use crate::sharding::axis::AxisRef;
use crate::sharding::check::mesh_order;
use crate::sharding::mesh::Mesh;
use crate::sharding::tensor::TensorSharding;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The tasks that devices execute, one after another. Values are identified by their numbers in [`Program::values`].
///
/// [`Instruction`](super::Instruction) has an example.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Task {
    /// An operation, which [`Program::instruction`] returns for this number.
    Operation(usize),
    /// A value is assigned to another one, in the sharding of the latter: an operand becomes the argument of a function, or a
    /// constraint reshards it.
    Assign {
        /// The existing value.
        from: usize,
        /// The new value.
        to: usize,
    },
    /// A loop. The values enter the condition and the body; the values that the body returns enter both again.
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
    /// A choice between bodies without arguments, by a number or by a boolean; for a boolean, the first body is that of `true`.
    Case {
        /// The number or boolean.
        index: usize,
        /// The bodies.
        branches: Vec<Body>,
        /// The values that the chosen body returns.
        results: Vec<usize>,
    },
    /// A manual computation. Its body operates on the local part of each device along its axes, and exchanges data by the
    /// collectives in the program.
    Manual {
        /// The axes along which arrays in the body are local to a device.
        axes: Vec<AxisRef>,
        /// The values that enter the body. In these shardings, their shards are the arguments of the body.
        inputs: Vec<(usize, TensorSharding)>,
        /// The body. Its values have the sizes of the parts along the axes.
        body: Body,
        /// The values that leave it. In these shardings, their shards are the values that the body returns.
        results: Vec<(usize, TensorSharding)>,
    },
}

impl Task {
    /// Calls `with` for the number of each operation, those in bodies included, and whether it is in a manual computation;
    /// `is_manual` says so for the task.
    pub(super) fn each(&self, is_manual: bool, with: &mut dyn FnMut(usize, bool)) {
        let within = is_manual || matches!(self, Self::Manual { axes, .. } if !axes.is_empty());
        let bodies = match self {
            Self::Operation(number) => return with(*number, is_manual),
            Self::Assign { .. } => return,
            Self::While { condition, body, .. } => &[condition, body][..],
            Self::Case { branches, .. } => &branches.iter().collect::<Vec<_>>(),
            Self::Manual { body, .. } => &[body],
        };
        bodies.iter().flat_map(|body| &body.tasks).for_each(|task| task.each(within, with));
    }
}

/// The sharding of a value outside of a manual computation that has the same shards as the value inside. Each dimension is split
/// first along the manual axes of the border, then along the axes of the value inside.
///
/// With the manual axis `"data"`, the border `[{"data", ?}, {}]` and the sharding `[{"model"}, {}]` inside, it is
/// `[{"data", "model"}, {}]`. With the border `[{}, {}], unreduced={"data"}`, the value inside is the part of one device of a sum,
/// and the sharding is `[{"model"}, {}], unreduced={"data"}`.
///
/// # Errors
/// The reason why there is none: the parts would be combined in one way along the manual axes, and in another one along the others.
pub(super) fn border(
    mesh: &Mesh,
    border: &TensorSharding,
    axes: &[AxisRef],
    inner: &TensorSharding,
) -> Result<TensorSharding, String> {
    let is_manual = |axis: &&AxisRef| axes.iter().any(|own| own.name == axis.name);
    let mut outer = inner.clone();
    outer.mesh.clone_from(&border.mesh);
    for (own, border) in outer.dims.to_mut().iter_mut().zip(border.dims.iter()) {
        let manual = border.axes.iter().filter(is_manual);
        own.axes = manual.chain(own.axes.iter()).cloned().collect();
    }
    let manual: Vec<_> = border.unreduced.iter().filter(is_manual).cloned().collect();
    if manual.is_empty() {
        return Ok(outer);
    }
    if !inner.unreduced.is_empty() && inner.reduction != border.reduction {
        return Err(alloc::format!(
            "one of its values is unreduced in two ways: inside, {inner}, and at its border, {border}"
        ));
    }
    let mut unreduced = [&manual[..], &inner.unreduced].concat();
    unreduced.sort_by_key(|axis| mesh.resolve(axis).map(mesh_order));
    outer.reduction = border.reduction;
    Ok(outer.with_unreduced(unreduced))
}

/// The message about a loop or a choice whose condition or number is unreduced.
pub(super) fn unreduced(name: &str) -> String {
    alloc::format!(
        "`{name}`, which decides what runs, is unreduced: each device has only a part of it; reshard it before"
    )
}

/// The body of a loop, a branch or a manual computation: tasks that run several times, or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The values that enter it.
    pub arguments: Vec<usize>,
    /// The tasks that it executes.
    pub tasks: Vec<Task>,
    /// The values that it returns.
    pub returned: Vec<usize>,
}

/// An operation of a program that devices cannot execute, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRunnable {
    /// The operation.
    pub operation: String,
    /// Its line, counted from 1, if the program was read from MLIR.
    pub line: Option<usize>,
    /// The reason.
    pub message: String,
}

/// The elements of a constant in the notation of MLIR.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    /// `dense<1.0> : tensor<f32>`
    Own(Box<str>),
    /// A long text, as a range of the printed text of the program.
    Within(Range<usize>),
}

/// The tasks of a program that was imported.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    pub(super) tasks: Vec<Task>,
    /// Operations without a sharding rule. They are numbered after those with one.
    pub(super) unruled: Vec<Call>,
    /// The elements of constants, by the number of the operation.
    pub(super) constants: BTreeMap<usize, Constant>,
    /// The bodies of operations that operate on scalars, by the number of the operation.
    pub(super) bodies: BTreeMap<usize, Vec<ScalarBody>>,
    /// The first operation that cannot be executed.
    pub(super) refused: Option<NotRunnable>,
}

impl Program {
    /// The tasks that devices execute to run the program.
    ///
    /// # Errors
    /// For the first operation that the program cannot run, because it has a body of unknown meaning, or reads values that are not
    /// tensors of known size.
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

    /// The operands number `at` of edges; constraints can have replaced the values that the text names.
    fn flowing(&self, edges: &[usize], at: usize) -> Vec<usize> {
        edges.iter().map(|edge| self.calls[*edge].operands[at]).collect()
    }

    fn region_tasks(&self, region: &Region, tasks: &mut Vec<Task>) -> Result<(), NotRunnable> {
        fn refused<T>(operation: &str, message: &str) -> Result<T, NotRunnable> {
            let (operation, message) = (operation.into(), message.into());
            Err(NotRunnable { operation, line: None, message })
        }
        // Every device decides alike, so it needs the whole number.
        let decides = |operation: &str, value: Option<&usize>| {
            let value = value.map(|at| &self.values[*at]);
            let partial = value.filter(|value| !value.sharding.unreduced.is_empty());
            partial.map_or(Ok(()), |value| refused(operation, &unreduced(&value.name)))
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
                decides("while", condition.returned.first())?;
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
                decides("case", Some(index))?;
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
                let outer = |(value, written): (usize, &TensorSharding), inner: &usize| {
                    let (mesh, inner) = (self.mesh_of(written), &self.values[*inner].sharding);
                    let outer = border(mesh, written, axes, inner);
                    outer.map(|outer| (value, outer)).or_else(|why| refused("manual", &why))
                };
                let returned = self.flowing(&region.edges, 0);
                let inputs = self.flowing(&region.entries, 0).into_iter();
                let inputs = inputs.zip(operands).zip(&region.arguments);
                let inputs = inputs.map(|(to, inner)| outer(to, inner));
                let inputs = inputs.collect::<Result<_, _>>()?;
                let results = results.into_iter().zip(borders).zip(&returned);
                let results = results.map(|(from, inner)| outer(from, inner));
                let results = results.collect::<Result<_, _>>()?;
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
