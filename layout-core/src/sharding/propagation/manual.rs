//! Manual computations: along some axes, their bodies operate on the local part of one device; along the others, on whole
//! tensors.

use super::super::axis::{Axis, AxisList, product, uncovered};
use super::super::check::mesh_order;
use super::super::mesh::Mesh;
use super::graph::{Graph, Value};
use super::projection::push_or_merge;
use super::resolved::Resolved;
use crate::sharding::{AxisRef, Location, Problem, ShardingError, TensorSharding};
use alloc::format;
use alloc::vec::Vec;

/// The axes along which a manual computation itself splits its tensors.
///
/// In its body, tensors have their local size along these axes, and no sharding may name them. All other axes propagate into
/// and out of the body. For a value that enters or leaves, a manual axis that splits none of its dimensions is replicated.
///
/// ```
/// use tensor_layout::sharding::{AxisRef, propagation::ManualAxes};
/// let axes = ManualAxes::new([AxisRef::full("data")]);
/// assert_eq!(axes.axes(), [AxisRef::full("data")]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManualAxes(Vec<AxisRef>);

impl ManualAxes {
    /// These axes.
    pub fn new(axes: impl IntoIterator<Item = AxisRef>) -> Self {
        Self(axes.into_iter().collect())
    }

    /// The axes.
    pub fn axes(&self) -> &[AxisRef] {
        &self.0
    }

    /// Whether an axis, or the axis of which it is a part, is a manual axis.
    fn has(&self, axis: &AxisRef) -> bool {
        self.0.iter().any(|manual| manual.name == axis.name)
    }

    /// Adds the manual axes that a sharding at the border does not name to its replicated axes. The body has the whole tensor
    /// along them, so nothing outside may split it along them.
    fn replicate_unused(&self, sharding: &mut Resolved, mesh: &Mesh) {
        let lists = [&sharding.replicated, &sharding.unreduced].into_iter();
        let split = sharding.dims.iter().map(|dim| &dim.axes);
        let used: Vec<Axis> = split.chain(lists).flatten().copied().collect();
        let mut replicated = sharding.replicated.to_vec();
        for (index, axis) in mesh.axes().iter().enumerate() {
            if self.0.iter().any(|manual| manual.name == axis.name()) {
                replicated.extend(uncovered(index, axis.size(), &used));
            }
        }
        replicated.sort_unstable_by_key(|axis| mesh_order(*axis));
        sharding.replicated.clear();
        replicated.iter().for_each(|axis| push_or_merge(&mut sharding.replicated, *axis, mesh));
    }
}

/// The change that an edge across the border of a manual computation makes to the sharding of its target.
#[derive(Clone, Debug)]
pub(super) struct Manual {
    /// The manual axes of each dimension.
    dims: Vec<AxisList>,
    replicated: AxisList,
    unreduced: AxisList,
    /// For an argument of the body, whose sharding does not contain the manual axes: the sharding of the operand. `None` for a
    /// result.
    pub(super) operand: Option<Resolved>,
}

impl Manual {
    /// The sharding of the target in the form for the sources.
    pub(super) fn outside(&self, sharding: Option<&Resolved>) -> Option<Resolved> {
        let sharding = sharding?.clone();
        Some(if self.operand.is_some() { self.with(sharding) } else { self.without(sharding) })
    }

    /// The sharding of the target, from its form for the sources.
    pub(super) fn inside(&self, sharding: Resolved) -> Resolved {
        if self.operand.is_some() { self.without(sharding) } else { self.with(sharding) }
    }

    fn with(&self, mut sharding: Resolved) -> Resolved {
        for (dim, manual) in sharding.dims.iter_mut().zip(&self.dims) {
            dim.axes.insert_many(0, manual.iter().copied());
        }
        for (list, manual) in [
            (&mut sharding.replicated, &self.replicated),
            (&mut sharding.unreduced, &self.unreduced),
        ] {
            list.extend(manual.iter().copied());
            list.sort_by_key(|axis| mesh_order(*axis));
        }
        sharding
    }

    fn without(&self, mut sharding: Resolved) -> Resolved {
        let is_free = |axis: &mut Axis| {
            let lists = self.replicated.iter().chain(&self.unreduced);
            let mut manual = self.dims.iter().flatten().chain(lists);
            !manual.any(|other| other.index() == axis.index())
        };
        for dim in &mut sharding.dims {
            dim.axes.retain(is_free);
        }
        sharding.replicated.retain(is_free);
        sharding.unreduced.retain(is_free);
        sharding
    }
}

impl Graph {
    /// Checks that a manual computation at this position may split along these axes.
    ///
    /// # Errors
    /// If no mesh has one of the axes, or if an enclosing manual computation already splits along it.
    pub fn check_manual(&self, axes: &ManualAxes) -> Result<(), ShardingError> {
        let mut problems = Vec::new();
        for (at, axis) in axes.axes().iter().enumerate() {
            let location = Location::Axis { dim: 0, at };
            let known = self.meshes.iter().any(|(_, mesh)| mesh.axis_size(&axis.name).is_some());
            if !known || axis.sub.is_some() {
                problems.push(Problem::new(location, format!("unknown manual axis: {axis}")));
            } else if self.bound.iter().any(|(_, bound)| bound.contains(axis)) {
                problems.push(bound(location, axis));
            }
        }
        ShardingError::unless(problems, ())
    }

    /// Begins the body of a manual computation, as [`Graph::enter`] does. Until it ends, no sharding may name its axes.
    ///
    /// # Panics
    /// If an argument is a value of another graph.
    #[track_caller]
    pub fn enter_manual(&mut self, arguments: &[Value], axes: &ManualAxes) {
        self.enter_computation(arguments, true);
        self.bound.push((self.open_body(), axes.axes().to_vec()));
    }

    /// The mistakes in a sharding with axes that an enclosing manual computation has bound.
    pub(super) fn bound_problems(&self, sharding: &TensorSharding) -> Vec<Problem> {
        let is_bound = |axis: &AxisRef| {
            let bound = self.bound.iter().flat_map(|(_, axes)| axes);
            bound.into_iter().any(|other| other.name == axis.name)
        };
        sharding
            .placed()
            .filter(|(_, axis)| is_bound(axis))
            .map(|(location, axis)| bound(location, &AxisRef::full(axis.name)))
            .collect()
    }

    /// The size of the result of a manual computation whose body returns `returned`.
    ///
    /// # Errors
    /// If the sharding violates a rule of Shardy, or differs in rank from the value, or if `returned` is a value of another graph.
    pub fn manual_size(
        &self,
        returned: Value,
        sharding: &TensorSharding,
        axes: &ManualAxes,
    ) -> Result<Vec<usize>, ShardingError> {
        self.check_values(&[returned])?;
        let mut dims = self.values[returned.0].dims.clone();
        let resolved = self.resolve(sharding, &dims)?;
        let mesh = self.mesh_of(&resolved);
        for (size, split) in dims.iter_mut().zip(&resolved.dims) {
            let manual = split.axes.iter().filter(|axis| axes.has(&mesh.name(**axis)));
            let manual: AxisList = manual.copied().collect();
            *size = size.saturating_mul(product(&manual));
        }
        Ok(dims)
    }

    /// Adds an argument of the body of a manual computation, for an operand with this sharding, whose manual axes must come
    /// first in each dimension. Returns the argument, which has the local size.
    ///
    /// # Errors
    /// If the sharding violates a rule of Shardy, if a manual axis does not come first, or if the manual axes do not divide the
    /// dimension.
    pub fn manual_argument(
        &mut self,
        operand: Value,
        sharding: &TensorSharding,
        axes: &ManualAxes,
    ) -> Result<Value, ShardingError> {
        self.check_values(&[operand])?;
        let dims = self.values[operand.0].dims.clone();
        let (resolved, manual, local) = self.manual(sharding, axes, &dims, true)?;
        let inside = manual.inside(resolved);
        let (edge, targets) = self.edge(&local, 1, Some(manual));
        self.values[edge.target.0].sharding = Some(inside);
        let op = self.close_entry(edge, &[operand])?;
        self.constraints.push(op);
        Ok(targets[0])
    }

    /// Adds a result of a manual computation, for a value that its body returns. The manual axes of the sharding must come
    /// first in each dimension. Returns the result, which has the global size `dims`.
    ///
    /// # Errors
    /// As for [`Graph::manual_argument`].
    pub fn manual_result(
        &mut self,
        returned: Value,
        dims: &[usize],
        sharding: &TensorSharding,
        axes: &ManualAxes,
    ) -> Result<Value, ShardingError> {
        self.check_values(&[returned])?;
        let (resolved, manual, local) = self.manual(sharding, axes, dims, false)?;
        if local != self.values[returned.0].dims {
            let message = format!(
                "operand shape, corresponding sharding, and region operand shape must match. Expected local shape {local:?}, actual local shape {:?}",
                self.values[returned.0].dims
            );
            return Err(Problem::new(Location::Dims, message).into());
        }
        let (edge, targets) = self.edge(dims, 1, Some(manual));
        self.values[edge.target.0].sharding = Some(resolved);
        self.close_edge(edge, &[returned])?;
        Ok(targets[0])
    }

    /// The sharding, its manual axes, and the size of the tensor in the body.
    fn manual(
        &self,
        sharding: &TensorSharding,
        axes: &ManualAxes,
        dims: &[usize],
        into_body: bool,
    ) -> Result<(Resolved, Manual, Vec<usize>), ShardingError> {
        let mut resolved = self.resolve(sharding, dims)?;
        let mesh = self.mesh_of(&resolved);
        axes.replicate_unused(&mut resolved, mesh);
        let mut problems = Vec::new();
        for axis in axes.axes() {
            if mesh.axis_size(&axis.name).is_none() {
                problems.push(Problem::new(Location::All, format!("unknown manual axis: {axis}")));
            }
        }
        let is_manual = |axis: &Axis| axes.has(&mesh.name(*axis));
        let mut local = dims.to_vec();
        let mut manual_dims = Vec::new();
        for (dim, split) in resolved.dims.iter().enumerate() {
            let first: AxisList =
                split.axes.iter().copied().take_while(|axis| is_manual(axis)).collect();
            for (at, axis) in split.axes.iter().enumerate().skip(first.len()) {
                if is_manual(axis) {
                    let (axis, free) = (mesh.name(*axis), mesh.name(split.axes[at - 1]));
                    let message = format!(
                        "sharding must have all manual axes come before free axes in its dimension sharding at index {dim}. Saw manual axis {axis} after free axis {free}"
                    );
                    problems.push(
                        Problem::new(Location::Axis { dim, at }, message)
                            .help(format!("write {axis} first")),
                    );
                }
            }
            let parts = product(&first);
            if !dims[dim].is_multiple_of(parts) {
                let message = format!(
                    "dimension size {} is not divisible by the manual axes size {parts}",
                    dims[dim]
                );
                let help = format!("use a size of {}", dims[dim].next_multiple_of(parts));
                problems.push(Problem::new(Location::Dim(dim), message).help(help));
            }
            local[dim] /= parts.max(1);
            manual_dims.push(first);
        }
        let manual_of = |list: &AxisList| list.iter().copied().filter(is_manual).collect();
        let (replicated, unreduced) =
            (manual_of(&resolved.replicated), manual_of(&resolved.unreduced));
        let operand = into_body.then(|| resolved.clone());
        let manual = Manual { dims: manual_dims, replicated, unreduced, operand };
        ShardingError::unless(problems, (resolved, manual, local))
    }
}

fn bound(location: Location, axis: &AxisRef) -> Problem {
    let message = format!(
        "operates on axis {axis} which is already bound by a parent sdy.manual_computation op"
    );
    Problem::new(location, message)
        .help("the body has what one device holds along it: leave the axis out")
}
