//! Data-flow edges, which connect the values of a `while` or a `case`.

use super::flow::Direction;
use super::graph::{Graph, Kind, Op, Value};
use super::manual::Manual;
use crate::sharding::{Location, OpShardingRule, Problem, ShardingError};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// A data-flow edge whose sources are not all known yet.
///
/// [`Graph::open_edge`] returns it, and has an example.
#[derive(Debug)]
#[must_use = "the edge has no sources yet: call `Graph::close_edge` first"]
pub struct Edge {
    pub(super) op: Op,
    pub(super) target: Value,
    /// The values that bodies return to it.
    returned: Vec<Value>,
}

impl Edge {
    /// The target that owns the edge.
    pub const fn target(&self) -> Value {
        self.target
    }
}

impl Graph {
    /// Adds an edge between values of size `dims`: `targets` new values, which share one sharding, and the sources that
    /// [`Graph::returned`] and [`Graph::close_edge`] add. The first target owns the edge.
    ///
    /// A `while` has an edge for each of its values. Its targets are the result and the arguments of the condition and
    /// of the body; its sources are the initial value and the value that the body returns.
    ///
    /// ```
    /// # use tensor_layout::sharding::{Mesh, propagation::{Graph, OpKind, Strategy, propagate}, ops};
    /// let mesh: Mesh = r#"<["data"=2]>"#.parse().unwrap();
    /// let mut graph = Graph::new("mesh", mesh);
    /// let x = graph.argument(&[8]);
    /// graph.set_sharding(x, &r#"<@mesh, [{"data"}]>"#.parse().unwrap()).unwrap();
    /// // while (h = x) { h = tanh(h) }
    /// let (mut edge, targets) = graph.open_edge(&[8], 2);
    /// graph.enter(&targets[1..]);
    /// let tanh = ops::elementwise(1, &[], &[8]);
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

    pub(super) fn edge(
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
        let op = self.push(
            Kind::Edge(manual.map(Box::new)),
            Direction::Both,
            rule,
            &[],
            alloc::vec![target],
        );
        // The edge is visited in the order in which edges are closed.
        self.order.remove(op);
        (Edge { op, target, returned: Vec::new() }, all)
    }

    /// Adds a source of an edge: a value that the body being built returns.
    ///
    /// # Errors
    /// If the source differs in rank from the targets, or is a value of another graph.
    pub fn returned(&mut self, edge: &mut Edge, source: Value) -> Result<(), ShardingError> {
        self.check_source(edge, source)?;
        self.take(source, edge.op, self.open_body());
        edge.returned.push(source);
        Ok(())
    }

    /// Adds the sources of an edge that no body returns. The edge is visited after the operations that have been added before.
    ///
    /// # Errors
    /// If a source differs in rank from the targets, or if a source or the edge belongs to another graph.
    pub fn close_edge(&mut self, edge: Edge, sources: &[Value]) -> Result<Op, ShardingError> {
        self.check_values(&[edge.target])?;
        for &source in sources {
            self.check_source(&edge, source)?;
        }
        for &source in sources {
            self.take(source, edge.op, self.open_body());
        }
        let count = sources.len() + edge.returned.len();
        let rule = OpShardingRule::elementwise(count, 1, &self.values[edge.target.0].dims);
        let data = &mut self.ops[edge.op.0];
        data.rule = rule;
        data.operands = sources.iter().copied().chain(edge.returned).collect();
        self.order.push(edge.op, self.ops[edge.op.0].body);
        Ok(edge.op)
    }

    /// [`Graph::close_edge`] for an edge that only leads into a body. It is visited before the operations of the body, and
    /// again only when its target changes, not when a source does. This is Shardy's order.
    ///
    /// # Errors
    /// As for [`Graph::close_edge`].
    pub fn close_entry(&mut self, edge: Edge, sources: &[Value]) -> Result<Op, ShardingError> {
        let op = self.close_edge(edge, sources)?;
        self.ops[op.0].is_entry = true;
        Ok(op)
    }

    fn check_source(&self, edge: &Edge, source: Value) -> Result<(), ShardingError> {
        self.check_values(&[edge.target, source])?;
        let (source, target) = (self.dims(source).len(), self.dims(edge.target).len());
        if source == target {
            return Ok(());
        }
        let message = format!("a source of rank {source} cannot flow to a target of rank {target}");
        Err(Problem::new(Location::All, message).into())
    }

    /// Whether a value is the target that owns an edge.
    pub(super) fn is_edge(&self, value: Value) -> bool {
        matches!(self.definition_kind(value.0), Some(Kind::Edge(_)))
    }
}
