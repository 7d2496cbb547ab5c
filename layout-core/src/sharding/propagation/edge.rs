//! Data-flow edges: what ties the values of a `while`, a `case` or a manual computation together.

use super::super::axis::{Axis, AxisList};
use super::graph::{Graph, Kind, Op, Value};
use super::resolved::Resolved;
use super::step::Direction;
use crate::sharding::{AxisRef, OpShardingRule, Place, Problem, ShardingError, TensorSharding};
use alloc::format;
use alloc::vec::Vec;

/// An edge whose sources are not all known yet.
#[derive(Debug)]
#[must_use = "an edge takes part once `Graph::close_edge` has been told its sources"]
pub struct Edge {
    op: Op,
    target: Value,
    /// What bodies return to it.
    returned: Vec<Value>,
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
    /// How the operand is sharded, for a target that is an argument of the body, which does not see the manual axes;
    /// `None` for a result.
    pub(super) operand: Option<Resolved>,
}

impl Manual {
    /// The sharding of the target as the sources see it.
    pub(super) fn outside(&self, sharding: Option<&Resolved>) -> Option<Resolved> {
        let sharding = sharding?.clone();
        Some(if self.operand.is_some() { self.with(sharding) } else { self.without(sharding) })
    }

    /// The sharding of the target, from how the sources see it.
    pub(super) fn inside(&self, sharding: Resolved) -> Resolved {
        if self.operand.is_some() { self.without(sharding) } else { self.with(sharding) }
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
    /// sources that [`Graph::returned`] and [`Graph::close_edge`] name. The first target owns the edge.
    ///
    /// A `while` has an edge for each of its values: the result, the argument of the condition and that of the body are
    /// the targets; the initial value, and what the body returns, are the sources.
    ///
    /// ```
    /// # use layout_core::sharding::{Mesh, propagation::{Graph, OpKind, Strategy, propagate}, registry};
    /// let mesh: Mesh = r#"<["data"=2]>"#.parse().unwrap();
    /// let mut graph = Graph::new("mesh", mesh);
    /// let x = graph.argument(&[8]);
    /// graph.set_sharding(x, &r#"<@mesh, [{"data"}]>"#.parse().unwrap()).unwrap();
    /// // while (h = x) { h = tanh(h) }
    /// let (mut edge, targets) = graph.open_edge(&[8], 2);
    /// graph.enter(&targets[1..]);
    /// let tanh = registry::elementwise(1, &[], &[8]);
    /// let op = graph.op(OpKind::Elementwise, tanh, &[targets[1]], &[&[8]]).unwrap();
    /// graph.returned(&mut edge, graph.results(op)[0]).unwrap();
    /// graph.leave();
    /// graph.close_edge(edge, &[x]).unwrap();
    /// propagate(&mut graph, Strategy::default());
    /// assert_eq!(graph.sharding(targets[0]).unwrap().to_string(), r#"<@mesh, [{"data", ?}]>"#);
    /// ```
    pub fn open_edge(&mut self, dims: &[usize], targets: usize) -> (Edge, Vec<Value>) {
        self.edge(dims, targets, None)
    }

    fn edge(
        &mut self,
        dims: &[usize],
        targets: usize,
        manual: Option<Manual>,
    ) -> (Edge, Vec<Value>) {
        let target = self.value(dims);
        let mut all = alloc::vec![target];
        for _ in 1..targets {
            let alias = self.value(dims);
            self.values[alias.0].alias = Some(target);
            self.values[target.0].aliases.push(alias);
            all.push(alias);
        }
        let rule = OpShardingRule::elementwise(0, 1, dims);
        let op = self.push(Kind::Edge(manual), Direction::Both, rule, &[], alloc::vec![target]);
        // It is visited where it is closed.
        self.order.pop();
        (Edge { op, target, returned: Vec::new() }, all)
    }

    /// Names a source of an edge that the body which is open returns.
    ///
    /// # Errors
    /// If it has not the rank of the targets.
    pub fn returned(&mut self, edge: &mut Edge, source: Value) -> Result<(), ShardingError> {
        self.check_source(edge, source)?;
        self.take(source, edge.op, self.block());
        edge.returned.push(source);
        Ok(())
    }

    /// Names the sources of an edge that no body returns. It is visited after the operations that were added before.
    ///
    /// # Errors
    /// If a source has not the rank of the targets.
    pub fn close_edge(&mut self, edge: Edge, sources: &[Value]) -> Result<Op, ShardingError> {
        for &source in sources {
            self.check_source(&edge, source)?;
        }
        for &source in sources {
            self.take(source, edge.op, self.block());
        }
        let count = sources.len() + edge.returned.len();
        let rule = OpShardingRule::elementwise(count, 1, &self.values[edge.target.0].dims);
        let data = &mut self.ops[edge.op.0];
        data.rule = rule;
        data.operands = sources.iter().copied().chain(edge.returned).collect();
        self.order.push(edge.op);
        Ok(edge.op)
    }

    fn check_source(&self, edge: &Edge, source: Value) -> Result<(), ShardingError> {
        let (source, target) = (self.dims(source).len(), self.dims(edge.target).len());
        if source == target {
            return Ok(());
        }
        let message = format!("a source of rank {source} cannot flow to a target of rank {target}");
        Err(Problem::new(Place::Whole, message).into())
    }

    /// Whether an operation is the edge to an argument of a manual computation.
    pub(super) fn enters_manual(&self, op: Op) -> bool {
        matches!(&self.ops[op.0].kind, Kind::Edge(Some(manual)) if manual.operand.is_some())
    }

    /// Whether a value is the target that owns an edge.
    pub(super) fn is_edge(&self, value: Value) -> bool {
        matches!(self.definition_kind(value.0), Some(Kind::Edge(_)))
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
        let inside = manual.inside(resolved);
        let (edge, targets) = self.edge(&local, 1, Some(manual));
        self.values[edge.target.0].sharding = Some(inside);
        let op = self.close_edge(edge, &[operand])?;
        self.constraints.push(op);
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
            return Err(Problem::new(Place::Dims, message).into());
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
        let operand = into_body.then(|| resolved.clone());
        let manual = Manual { dims: manual_dims, replicated, operand };
        ShardingError::unless(problems, (resolved, manual, local))
    }
}
