//! Data-flow edges: what ties the values of a `while`, a `case` or a manual computation together.

use super::super::axis::{Axis, AxisList};
use super::graph::{Graph, Kind, Op, Value};
use super::resolved::Resolved;
use super::step::Direction;
use crate::sharding::{AxisRef, OpShardingRule, Problem, ShardingError, TensorSharding};
use alloc::format;
use alloc::vec::Vec;

/// An edge whose sources are not all known yet.
#[derive(Debug)]
#[must_use = "an edge takes part once `Graph::close_edge` has been told its sources"]
pub struct Edge {
    pub(super) target: Value,
    pub(super) manual: Option<Manual>,
}

impl Edge {
    /// The target that owns the edge.
    pub const fn target(&self) -> Value {
        self.target
    }
}

/// The axes that a manual computation splits its tensors along by hand.
///
/// In its body the tensors have their local size, and these axes are out of reach; all others propagate through.
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
}

/// What an edge across the border of a manual computation does to the sharding of its target.
#[derive(Clone, Debug)]
pub(super) struct Manual {
    /// The manual axes of each dimension.
    dims: Vec<AxisList>,
    replicated: AxisList,
    /// Whether the target is an argument of the body, which does not see the axes, rather than a result.
    into_body: bool,
}

impl Manual {
    /// The sharding of the target as the sources see it.
    pub(super) fn outside(&self, sharding: Option<&Resolved>) -> Option<Resolved> {
        let sharding = sharding?.clone();
        Some(if self.into_body { self.with(sharding) } else { self.without(sharding) })
    }

    /// The sharding of the target, from how the sources see it.
    pub(super) fn inside(&self, sharding: Resolved) -> Resolved {
        if self.into_body { self.without(sharding) } else { self.with(sharding) }
    }

    fn with(&self, mut sharding: Resolved) -> Resolved {
        for (dim, manual) in sharding.dims.iter_mut().zip(&self.dims) {
            dim.axes.insert_many(0, manual.iter().copied());
        }
        sharding.replicated.extend(self.replicated.iter().copied());
        sharding.replicated.sort_by_key(|axis| crate::sharding::check::mesh_order(*axis));
        sharding
    }

    fn without(&self, mut sharding: Resolved) -> Resolved {
        let is_free = |axis: &mut Axis| {
            let manual = self.dims.iter().flatten().chain(&self.replicated);
            !manual.clone().any(|other| other.index() == axis.index())
        };
        for dim in &mut sharding.dims {
            dim.axes.retain(is_free);
        }
        sharding.replicated.retain(is_free);
        sharding
    }
}

impl Graph {
    /// Ties values of size `dims` together that no operation makes: `targets` values, whose sharding is one, and
    /// sources that [`Graph::close_edge`] names. The first target owns the edge.
    ///
    /// A `while` has an edge for each of its values: the result, the argument of the condition and that of the body are
    /// the targets; the initial value, and what the body returns, are the sources.
    pub fn open_edge(&mut self, dims: &[usize], targets: usize) -> (Edge, Vec<Value>) {
        let target = self.value(dims);
        let mut all = alloc::vec![target];
        for _ in 1..targets {
            let alias = self.value(dims);
            self.values[alias.0].alias = Some(target);
            self.values[target.0].aliases.push(alias);
            all.push(alias);
        }
        (Edge { target, manual: None }, all)
    }

    /// Names the sources of an edge. It is visited where it is closed, after the operations that were added before.
    ///
    /// # Errors
    /// If a source has not the rank of the targets.
    pub fn close_edge(&mut self, edge: Edge, sources: &[Value]) -> Result<Op, ShardingError> {
        let dims = self.values[edge.target.0].dims.clone();
        let rule = OpShardingRule::elementwise(sources.len(), 1, &dims);
        self.add(Kind::Edge(edge.manual), Direction::Both, rule, sources, alloc::vec![edge.target])
    }

    /// An argument of the body of a manual computation: its operand, and how that is sharded, manual axes first in each
    /// dimension. Returns the argument, which has the local size.
    ///
    /// # Errors
    /// If the sharding breaks a rule of Shardy, a manual axis does not come first, or the manual axes do not divide
    /// the dimension.
    pub fn manual_argument(
        &mut self,
        operand: Value,
        sharding: &TensorSharding,
        axes: &ManualAxes,
    ) -> Result<Value, ShardingError> {
        let dims = self.values[operand.0].dims.clone();
        let (resolved, manual, local) = self.manual(sharding, axes, &dims, true)?;
        let (mut edge, targets) = self.open_edge(&local, 1);
        self.values[edge.target.0].sharding = Some(manual.inside(resolved));
        edge.manual = Some(manual);
        self.close_edge(edge, &[operand])?;
        Ok(targets[0])
    }

    /// A result of a manual computation: what its body returns, and how the result is sharded, manual axes first in
    /// each dimension. Returns the result, which has the global size `dims`.
    ///
    /// # Errors
    /// As [`Graph::manual_argument`].
    pub fn manual_result(
        &mut self,
        returned: Value,
        dims: &[usize],
        sharding: &TensorSharding,
        axes: &ManualAxes,
    ) -> Result<Value, ShardingError> {
        let (resolved, manual, local) = self.manual(sharding, axes, dims, false)?;
        if local != self.values[returned.0].dims {
            let message = format!(
                "operand shape, corresponding sharding, and region operand shape must match. Expected local shape {local:?}, actual local shape {:?}",
                self.values[returned.0].dims
            );
            return Err(Problem::new(crate::sharding::Place::Dims, message).into());
        }
        let (mut edge, targets) = self.open_edge(dims, 1);
        self.values[edge.target.0].sharding = Some(resolved);
        edge.manual = Some(manual);
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
        use crate::sharding::Place;
        let resolved = self.resolve(sharding, dims)?;
        let mesh = self.mesh_of(&resolved);
        let mut problems = Vec::new();
        for axis in axes.axes() {
            if mesh.axis_size(&axis.name).is_none() {
                problems.push(Problem::new(Place::Whole, format!("unknown manual axis: {axis}")));
            }
        }
        let is_manual =
            |axis: &Axis| axes.axes().iter().any(|manual| manual.name == mesh.name(*axis).name);
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
                    problems.push(Problem::new(Place::Axis { dim, at }, message));
                }
            }
            let parts = crate::sharding::axis::product(&first);
            if !dims[dim].is_multiple_of(parts) {
                let message = format!(
                    "dimension size {} is not divisible by the manual axes size {parts}",
                    dims[dim]
                );
                problems.push(Problem::new(Place::Dim(dim), message));
            }
            local[dim] /= parts.max(1);
            manual_dims.push(first);
        }
        let replicated = resolved.replicated.iter().copied().filter(is_manual).collect();
        let manual = Manual { dims: manual_dims, replicated, into_body };
        ShardingError::unless(problems, (resolved, manual, local))
    }
}
